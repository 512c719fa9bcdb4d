package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;

/**
 * Says which bits of an id mean what: sign 0, then timestamp, datacenter, worker id, sequence and gene.
 *
 * <p>The timestamp counts ticks of one unit of time since the epoch. A layout works without a generator or a
 * connection: it takes ids apart, and gives bounds for range queries. Two layouts are equal if they mean the same by
 * every id.
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

    Layout(long handle) {
        this.handle = new Handle(handle, Native::layoutFree);
        figures = Native.layoutFigures(handle);
        fingerprint = Native.layoutFingerprint(handle);
        Reference.reachabilityFence(this);
    }

    /**
     * Reads a layout, with Leaf's epoch (2010-11-04T01:42:54.657Z).
     *
     * @param text {@code leaf}, {@code datacenter}, {@code wide}, {@code javascript}, or bits like
     *     {@code timestamp:41,worker:10,sequence:12}; {@code datacenter:}, {@code gene:} and {@code unit:} may be added
     * @return the layout
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException where the text holds half of a surrogate pair
     */
    public static Layout of(String text) {
        return of(text, false, 0);
    }

    /**
     * Reads a layout, with an epoch of its own.
     *
     * @param text a preset or bits, as for {@link #of(String)}
     * @param epochMillis when tick 0 starts, in Unix milliseconds, 0 or more
     * @return the layout
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException where the text holds half of a surrogate pair
     */
    public static Layout of(String text, long epochMillis) {
        return of(text, true, epochMillis);
    }

    private static Layout of(String text, boolean epochGiven, long epochMillis) {
        requireNonNull(text, "text");
        NativeLibrary.require();
        return new Layout(
                Native.layoutOf(Text.name("the layout", text, InvalidArgumentException::new), epochGiven, epochMillis));
    }

    /**
     * Returns the bits of the timestamp.
     *
     * @return 1 to 61
     */
    public int timestampBits() {
        return (int) figure(0);
    }

    /**
     * Returns the bits of the datacenter.
     *
     * @return 0 to 31
     */
    public int datacenterBits() {
        return (int) figure(1);
    }

    /**
     * Returns the bits of the worker id.
     *
     * @return 1 to 31
     */
    public int workerBits() {
        return (int) figure(2);
    }

    /**
     * Returns the bits of the sequence.
     *
     * @return 1 to 31
     */
    public int sequenceBits() {
        return (int) figure(3);
    }

    /**
     * Returns the bits of the gene.
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
     * Returns when tick 0 starts.
     *
     * @return the epoch
     */
    public Instant epoch() {
        return Instant.ofEpochMilli(figure(6));
    }

    /**
     * Returns when the time bits run out: the end of the last tick.
     *
     * @return the end
     */
    public Instant runsOut() {
        return Instant.ofEpochMilli(figure(7));
    }

    /**
     * Returns the highest id of this layout: all its bits are 1.
     *
     * @return the last id
     */
    public long lastId() {
        return figure(8);
    }

    /**
     * Returns a stable text that names all bits, the unit in milliseconds and the epoch.
     *
     * @return for example {@code timestamp:41,datacenter:0,worker:10,sequence:12,gene:0,unit:1ms,epoch:1288834974657}
     */
    public String fingerprint() {
        handle();
        return fingerprint;
    }

    /**
     * Takes an id apart. Whether it was ever minted its bits cannot tell.
     *
     * @param id any id of this layout
     * @return its parts
     * @throws InvalidIdException for a negative number and for one with more bits than the layout has
     */
    public DecodedId decode(long id) {
        try {
            long[] parts = Native.layoutDecode(handle(), id);
            return new DecodedId(id, Instant.ofEpochMilli(parts[0]), parts[1], parts[2], parts[3], parts[4]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts an id together.
     *
     * @param tick the ticks since the epoch, as {@link #tickAt} returns them
     * @param datacenterId the datacenter; 0 where the layout has no bits for it
     * @param workerId the worker id
     * @param sequence the sequence within the tick
     * @param gene the gene; 0 where the layout has no bits for it
     * @return the id
     * @throws InvalidArgumentException where the tick is negative or another part does not fit its bits
     * @throws IdSpaceExhaustedException where the tick is past the end of the time bits
     */
    public long compose(long tick, long datacenterId, long workerId, long sequence, long gene) {
        try {
            return Native.layoutCompose(handle(), tick, datacenterId, workerId, sequence, gene);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts an id together that is stamped with a time.
     *
     * @param timestamp when it is made; its tick counts
     * @param datacenterId the datacenter; 0 where the layout has no bits for it
     * @param workerId the worker id
     * @param sequence the sequence within the tick
     * @param gene the gene; 0 where the layout has no bits for it
     * @return the id
     * @throws InvalidArgumentException where the time is before the epoch or another part does not fit its bits
     * @throws IdSpaceExhaustedException where the time is past the end of the time bits
     */
    public long compose(Instant timestamp, long datacenterId, long workerId, long sequence, long gene) {
        return compose(tickAt(requireNonNull(timestamp, "timestamp")), datacenterId, workerId, sequence, gene);
    }

    /**
     * Returns the tick that holds a time: negative before the epoch.
     *
     * @param at any time
     * @return the ticks since the epoch
     */
    public long tickAt(Instant at) {
        try {
            return Native.layoutTickAt(handle(), millis(at));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the lowest id of the tick that holds a time: no id stamped then or later is below it.
     *
     * <p>Ids made from {@code a} up to but without {@code b}, both at the start of a tick, lie from {@code minId(a)} up
     * to but without {@code minId(b)}.
     *
     * @param at from the epoch until the time bits run out
     * @return the bound
     * @throws InvalidArgumentException for any other time
     */
    public long minId(Instant at) {
        try {
            return Native.layoutMinId(handle(), millis(at));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the highest id of the tick that holds a time: no id stamped then or earlier is above it.
     *
     * @param at from the epoch until the time bits run out
     * @return the bound
     * @throws InvalidArgumentException for any other time
     */
    public long maxId(Instant at) {
        try {
            return Native.layoutMaxId(handle(), millis(at));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Tells whether the other layout means the same by every id.
     *
     * @param other anything
     * @return whether it does
     */
    @Override
    public boolean equals(Object other) {
        handle();
        return other instanceof Layout layout && fingerprint().equals(layout.fingerprint());
    }

    /**
     * Returns a hash code of the fingerprint.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return fingerprint().hashCode();
    }

    /**
     * Shows the fingerprint.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "Layout[" + fingerprint() + "]";
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }

    private long figure(int at) {
        handle();
        return figures[at];
    }

    /** What 64 bits cannot hold becomes the nearest number that they can: the core refuses it by its range. */
    static long millis(Instant at) {
        try {
            return requireNonNull(at, "at").toEpochMilli();
        } catch (ArithmeticException tooFar) {
            return at.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
