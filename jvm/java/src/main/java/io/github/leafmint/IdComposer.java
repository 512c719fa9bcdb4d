package io.github.leafmint;

import java.time.Instant;

/**
 * Composes an id of its parts: {@link Layout#compose} makes it. Not for several threads.
 *
 * <pre>{@code
 * long id = Layout.of("leaf").compose(Instant.parse("2026-11-01T00:00:00Z")).workerId(7).sequence(42).id();
 * }</pre>
 */
public final class IdComposer {
    private final Layout layout;
    private final Instant timestamp;
    private long datacenterId;
    private long workerId;
    private long sequence;
    private long gene;

    IdComposer(Layout layout, Instant timestamp) {
        this.layout = layout;
        this.timestamp = timestamp;
    }

    /**
     * Sets the datacenter id, for layouts with bits for it.
     *
     * @param datacenterId 0 to 2^bits - 1
     * @return this composer
     */
    public IdComposer datacenterId(long datacenterId) {
        this.datacenterId = datacenterId;
        return this;
    }

    /**
     * Sets the worker id.
     *
     * @param workerId 0 to 2^bits - 1
     * @return this composer
     */
    public IdComposer workerId(long workerId) {
        this.workerId = workerId;
        return this;
    }

    /**
     * Sets the sequence number within the tick.
     *
     * @param sequence 0 to 2^bits - 1
     * @return this composer
     */
    public IdComposer sequence(long sequence) {
        this.sequence = sequence;
        return this;
    }

    /**
     * Sets the gene, for layouts with bits for it.
     *
     * @param gene 0 to 2^bits - 1
     * @return this composer
     */
    public IdComposer gene(long gene) {
        this.gene = gene;
        return this;
    }

    /**
     * Returns the id.
     *
     * @return the id
     * @throws InvalidArgumentException if the time is before the epoch or a part does not fit its bits
     * @throws IdSpaceExhaustedException if the time is after the last tick
     */
    public long id() {
        return layout.compose(timestamp, datacenterId, workerId, sequence, gene);
    }
}
