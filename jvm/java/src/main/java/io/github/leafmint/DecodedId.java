package io.github.leafmint;

import java.time.Instant;

/**
 * The parts of a snowflake, as {@link Layout#decode} returns them.
 *
 * <p>Only leafmint implements it: a later version may add methods.
 *
 * <pre>{@code
 * DecodedId parts = Layout.of("leaf").decode(id);
 * System.out.println("worker " + parts.workerId() + " at " + parts.timestamp());
 * }</pre>
 */
public interface DecodedId {
    /** {@return the id itself} */
    long id();

    /** {@return the start of its tick} */
    Instant timestamp();

    /** {@return the datacenter id; 0 if the layout has no bits for it} */
    long datacenterId();

    /** {@return the worker id} */
    long workerId();

    /** {@return the sequence number within the tick} */
    long sequence();

    /** {@return the gene; 0 if the layout has no bits for it} */
    long gene();
}
