package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.results.Results;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongConsumer;

/**
 * Arranges the bits of a snowflake: a sign bit of 0, then timestamp, datacenter, worker id, sequence number and gene.
 *
 * <p>The timestamp counts ticks, each one unit of time long, since the epoch. A layout needs no generator and no
 * connection. It decodes ids and computes bounds for range queries, and can be used from any thread. Two layouts are
 * equal if they decode every id alike.
 *
 * <pre>{@code
 * Layout leaf = Layout.of("leaf");
 * Instant created = leaf.decode(id).timestamp();
 * long from = leaf.minId(Instant.parse("2026-11-01T00:00:00Z")); // ... WHERE id >= from
 * }</pre>
 */
public final class Layout {
    private final Handle handle;
    private final long[] figures;
    private final String fingerprint;

    /** Takes ownership of a native layout. */
    Layout(long handle) {
        this.handle = new Handle(handle, new Free());
        figures = Native.layoutFigures(handle);
        fingerprint = Native.layoutFingerprint(handle);
        Reference.reachabilityFence(this);
    }

    /** A class and no method reference, because each start pays for it. */
    private static final class Free implements LongConsumer {
        @Override
        public void accept(long layout) {
            Native.layoutFree(layout);
        }
    }

    /**
     * Parses a layout. Its epoch is Leaf's, 2010-11-04T01:42:54.657Z.
     *
     * @param text {@code leaf}, {@code datacenter}, {@code wide}, {@code javascript}, or bits like
     *     {@code timestamp:41,worker:10,sequence:12}, optionally with {@code datacenter:}, {@code gene:} and
     *     {@code unit:}
     * @return the layout
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public static Layout of(String text) {
        return of(text, false, 0);
    }

    /**
     * Parses a layout and sets its epoch.
     *
     * @param text a preset or bits, as for {@link #of(String)}
     * @param epoch the start of tick 0, 1970 or later
     * @return the layout
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public static Layout of(String text, Instant epoch) {
        return of(text, true, Times.unixMillis(requireNonNull(epoch, "epoch")));
    }

    private static Layout of(String text, boolean hasEpoch, long epochMillis) {
        requireNonNull(text, "text");
        NativeLibrary.require();
        Text.name("the layout", text);
        return new Layout(Native.layoutOf(text, hasEpoch, epochMillis));
    }

    /**
     * Returns the number of timestamp bits.
     *
     * @return 1 to 61
     */
    public int timestampBits() {
        return (int) figure(0);
    }

    /**
     * Returns the number of datacenter bits.
     *
     * @return 0 to 31
     */
    public int datacenterBits() {
        return (int) figure(1);
    }

    /**
     * Returns the number of worker id bits.
     *
     * @return 1 to 31
     */
    public int workerBits() {
        return (int) figure(2);
    }

    /**
     * Returns the number of sequence bits.
     *
     * @return 1 to 31
     */
    public int sequenceBits() {
        return (int) figure(3);
    }

    /**
     * Returns the number of gene bits.
     *
     * @return 0 to 12
     */
    public int geneBits() {
        return (int) figure(4);
    }

    /**
     * Returns the unit of time, which is the length of a tick.
     *
     * @return whole milliseconds, at least one
     */
    public Duration unit() {
        return Duration.ofMillis(figure(5));
    }

    /**
     * Returns the start of tick 0.
     *
     * @return the epoch
     */
    public Instant epoch() {
        return Instant.ofEpochMilli(figure(6));
    }

    /**
     * Returns the end of the last tick, after which the layout has no more ids.
     *
     * @return the end of the timestamp bits
     */
    public Instant runsOut() {
        return Instant.ofEpochMilli(figure(7));
    }

    /**
     * Returns the highest id of this layout, whose bits are all 1.
     *
     * @return the last id
     */
    public long lastId() {
        return figure(8);
    }

    /**
     * Returns a stable text with all bits, the unit in milliseconds and the epoch.
     *
     * @return for example {@code timestamp:41,datacenter:0,worker:10,sequence:12,gene:0,unit:1ms,epoch:1288834974657}
     */
    public String fingerprint() {
        handle();
        return fingerprint;
    }

    /**
     * Decodes an id. Its bits do not show whether it was ever minted.
     *
     * @param id any id of this layout
     * @return its parts
     * @throws InvalidIdException if {@code id} is negative or has more bits than the layout
     */
    public DecodedId decode(long id) {
        try {
            long[] parts = Native.layoutDecode(handle(), id);
            return new Results.DecodedId(id, Instant.ofEpochMilli(parts[0]), parts[1], parts[2], parts[3], parts[4]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Composes an id of a time and its other parts.
     *
     * @param timestamp any time within the tick
     * @return what takes the other parts, each of which is 0 unless it is set
     */
    public IdComposer compose(Instant timestamp) {
        handle();
        return new IdComposer(this, requireNonNull(timestamp, "timestamp"));
    }

    long compose(Instant timestamp, long datacenterId, long workerId, long sequence, long gene) {
        try {
            long tick = Native.layoutTickAt(handle(), Times.unixMillis(timestamp));
            return Native.layoutCompose(handle(), tick, datacenterId, workerId, sequence, gene);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the lowest id of the tick of a time. Every id stamped at that time or later is at least as high.
     *
     * <p>If {@code a} and {@code b} are starts of ticks, the ids stamped from {@code a} to before {@code b} are those
     * from {@code minId(a)} to before {@code minId(b)}.
     *
     * @param at from the epoch to the end of the timestamp bits
     * @return the bound
     * @throws InvalidArgumentException if {@code at} is out of range
     */
    public long minId(Instant at) {
        try {
            return Native.layoutMinId(handle(), Times.unixMillis(at));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the highest id of the tick of a time. No id stamped at that time or earlier is higher.
     *
     * @param at from the epoch to the end of the timestamp bits
     * @return the bound
     * @throws InvalidArgumentException if {@code at} is out of range
     */
    public long maxId(Instant at) {
        try {
            return Native.layoutMaxId(handle(), Times.unixMillis(at));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the range of the ids that were stamped in a span of time. A tick that the span only touches counts whole.
     *
     * @param start the start of the span, from the epoch on
     * @param end the end of the span, which is excluded
     * @return the ids, for {@code WHERE id >= start AND id < end}
     * @throws InvalidArgumentException if the span ends before it starts, or the layout has no ids of its times
     */
    public LongRange idRange(Instant start, Instant end) {
        try {
            long[] range = Native.layoutIdRange(handle(), Times.unixMillis(start), Times.unixMillis(end));
            return new Results.LongRange(range[0], range[1]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns true if the other object is a layout with the same fingerprint.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public boolean equals(Object other) {
        handle();
        return other instanceof Layout layout && fingerprint().equals(layout.fingerprint());
    }

    /**
     * Returns the hash code of the fingerprint.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return fingerprint().hashCode();
    }

    /**
     * Returns a text with the fingerprint.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "Layout[" + fingerprint() + "]";
    }

    /** Returns the native value, which is valid as long as this layout is reachable. */
    long handle() {
        return Handle.valueOf(handle, this);
    }

    private long figure(int at) {
        handle();
        return figures[at];
    }
}
