package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Mints the ids of one tag. Resolve it once with {@link SegmentGenerator#bizTag}, use it for ever, from any thread.
 *
 * <p>Ids are 0 or more, unique within the generator's {@linkplain SegmentGenerator#scope() scope}, and strictly
 * increase within the generator, or with {@linkplain #order() relaxed order} for each thread. An id in hand costs no
 * I/O. Where supply has run out, a call waits for at most its timeout, or else the option {@code timeout}; a timeout is
 * from 0 to a year. Waiting parks: a virtual thread lets go of its carrier.
 *
 * <p>Every method that returns ids throws {@link ClosedException} after {@link SegmentGenerator#close},
 * {@link UnknownTagException}, {@link StoreRegressedException}, {@link IdSpaceExhaustedException},
 * {@link InvalidConfigException} where the tag's row cannot be used, and, where it waits,
 * {@link SegmentUnavailableException} once the timeout is over. An interrupt ends a wait with
 * {@link SegmentUnavailableException} too, and leaves the interrupt flag set; ids in hand are had all the same.
 *
 * <p>The ids of a tag with {@linkplain #geneBits() gene bits} carry a gene in their lowest bits:
 * {@link #nextIdWithGene(long)} takes it, {@link Genes#shardOf} reads it back, and every method that takes none throws
 * {@link InvalidArgumentException}.
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("memory:")) {
 *     BizTag order = ids.bizTag("order");
 *     long id = order.nextId();
 *     long[] many = order.nextIds(1000);
 * }
 * }</pre>
 */
public final class BizTag implements LongSupplier {
    private static final long MAX_BATCH = 1 << 20;
    private static final VarHandle KNOWN_LIMIT;

    static {
        try {
            KNOWN_LIMIT = MethodHandles.lookup()
                    .findVarHandle(BizTag.class, "knownLimit", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final long geneBits;

    /** Whether each thread draws from the cell of its place; else there is one cell. */
    private final boolean relaxed;

    /** With relaxed order, what to take a thread's number by to find its place. */
    private final int places;

    private final SegmentGenerator generator;
    private final long handle;
    private final ByteBuffer cell;

    /**
     * What the cell's limit was when the cold path was last left. It can only lag, which costs a visit there and never
     * gives an id twice. It stands here, as the cell does, because each step from object to object costs the hot path a
     * third.
     */
    @SuppressWarnings("unused")
    private long knownLimit;

    BizTag(String name, long geneBits, Order order, SegmentGenerator generator, long handle) {
        this.name = name;
        this.geneBits = geneBits;
        relaxed = order == Order.RELAXED;
        this.generator = generator;
        this.handle = handle;
        cell = Native.cell(handle);
        places = cell.capacity() / LimitCell.SIZE - 1; // a power of two, less one
        // Not with this object: the cell has to outlive whoever is drawing from it.
        Reaper.freeWhenUnreachable(cell, handle, Native::tagFree);
    }

    /**
     * Returns the tag's name.
     *
     * @return the name
     */
    public String name() {
        handle();
        return name;
    }

    /**
     * Returns how many lowest bits of an id carry a gene.
     *
     * @return 1 to 12, or 0 for none
     */
    public long geneBits() {
        handle();
        return geneBits;
    }

    /**
     * Returns how its ids follow on one another.
     *
     * @return the order
     */
    public Order order() {
        handle();
        return relaxed ? Order.RELAXED : Order.STRICT;
    }

    /**
     * Returns the next id, waiting for at most the option {@code timeout} where supply has run out.
     *
     * @return an id, 0 or more
     */
    public long nextId() {
        if (relaxed) {
            long id = drawAtPlace();
            return id >= 0 ? id : take(Native.ONE, 1, Native.DEFAULT_TIMEOUT)[0];
        }
        long limit = knownLimit();
        long number = LimitCell.draw(cell());
        if (number < limit) {
            return number;
        }
        long id = judge(limit, number);
        return id >= 0 ? id : take(Native.ONE, 1, Native.DEFAULT_TIMEOUT)[0];
    }

    /**
     * Returns the next id, waiting for at most {@code timeout}.
     *
     * @param timeout from 0 to a year
     * @return an id, 0 or more
     * @throws InvalidArgumentException for any other timeout
     */
    public long nextId(Duration timeout) {
        double seconds = Waiting.seconds(requireNonNull(timeout, "timeout"));
        if (Waiting.isPlain(seconds)) {
            long id = relaxed ? drawAtPlace() : draw();
            if (id >= 0) {
                return id;
            }
        }
        return take(Native.ONE, 1, seconds)[0];
    }

    /**
     * Returns the next id of a tag with gene bits, with this gene in its lowest bits.
     *
     * @param gene from 0 on, within the tag's gene bits
     * @return an id, 0 or more
     * @throws InvalidArgumentException for any other gene, and where the tag has no gene bits
     * @see Genes#geneOf(String, long)
     */
    public long nextIdWithGene(long gene) {
        return takeWithGene(gene, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns the next id with a gene, waiting for at most {@code timeout}.
     *
     * @param gene from 0 on, within the tag's gene bits
     * @param timeout from 0 to a year
     * @return an id, 0 or more
     * @throws InvalidArgumentException for any other gene or timeout, and where the tag has no gene bits
     */
    public long nextIdWithGene(long gene, Duration timeout) {
        return takeWithGene(gene, Waiting.seconds(requireNonNull(timeout, "timeout")));
    }

    /**
     * Returns the next id if one is in hand, without ever waiting.
     *
     * <p>Where none is, a refill is under way when it returns. Polling an empty tag uses no numbers up.
     *
     * @return an id, or empty
     */
    public OptionalLong tryNextId() {
        long id;
        int at = at();
        if (LimitCell.cursor(cell(), at) >= (relaxed ? LimitCell.limit(cell(), at) : knownLimit())) {
            id = look(); // polling an empty cell uses no numbers up
        } else {
            id = relaxed ? drawAtPlace() : draw();
        }
        return id >= 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /**
     * Returns {@code count} ids, ascending, with a gap where a segment ends.
     *
     * @param count from 0 to 2<sup>20</sup>
     * @return the ids
     * @throws InvalidArgumentException for any other count
     */
    public long[] nextIds(long count) {
        return ids(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ids, waiting for at most {@code timeout}.
     *
     * @param count from 0 to 2<sup>20</sup>
     * @param timeout from 0 to a year
     * @return the ids, ascending
     * @throws InvalidArgumentException for any other count or timeout
     */
    public long[] nextIds(long count, Duration timeout) {
        return ids(count, Waiting.seconds(requireNonNull(timeout, "timeout")));
    }

    /**
     * Fills an array with ids, ascending, with a gap where a segment ends. Where it throws, the array is as it was.
     *
     * @param into 1 to 2<sup>20</sup> places
     * @throws InvalidArgumentException for an array of any other length
     */
    public void nextIds(long[] into) {
        nextIds(into, 0, requireNonNull(into, "into").length);
    }

    /**
     * Fills part of an array with ids, ascending, with a gap where a segment ends. Where it throws, the array is as it
     * was.
     *
     * @param into the array
     * @param from the first place to fill
     * @param count how many places to fill, from 0 to 2<sup>20</sup>
     * @throws InvalidArgumentException for any other count
     * @throws IndexOutOfBoundsException where the array has no such places
     */
    public void nextIds(long[] into, int from, int count) {
        Objects.checkFromIndexSize(from, count, requireNonNull(into, "into").length);
        long start = drawRun(count, Native.DEFAULT_TIMEOUT);
        if (start >= 0) {
            Runs.write(into, from, start, count);
        } else {
            Runs.writeAll(into, from, take(Native.MANY, count, Native.DEFAULT_TIMEOUT));
        }
    }

    /**
     * Returns {@code count} ids in one piece.
     *
     * <p>Where the segments in hand are too short, what is left of them is passed over, and counted as unused.
     *
     * @param count from 0 to 2<sup>20</sup>
     * @return the ids
     * @throws InvalidArgumentException for any other count
     */
    public LongRange nextRange(long count) {
        return range(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ids in one piece, waiting for at most {@code timeout}.
     *
     * @param count from 0 to 2<sup>20</sup>
     * @param timeout from 0 to a year
     * @return the ids
     * @throws InvalidArgumentException for any other count or timeout
     */
    public LongRange nextRange(long count, Duration timeout) {
        return range(count, Waiting.seconds(requireNonNull(timeout, "timeout")));
    }

    /**
     * Returns what became of this tag's ids. It works after {@link SegmentGenerator#close} too, and is cheap enough for
     * a meter.
     *
     * @return a snapshot
     */
    public TagStats stats() {
        try {
            long[] numbers = Native.tagStats(handle());
            TagStats stats = TagStats.read(numbers, 0, null);
            // Only a failure has a text.
            return stats.refillFailures() == 0 ? stats : TagStats.read(numbers, 0, Native.tagLastError(handle()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Does what {@link #nextId()} does.
     *
     * @return an id, 0 or more
     */
    @Override
    public long getAsLong() {
        return nextId();
    }

    /**
     * Shows the tag and its store, without credentials.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        handle();
        return "BizTag[" + Text.printable(name) + " of " + generator.scope() + "]";
    }

    private long handle() {
        if (handle == 0) {
            throw Handle.withoutConstructor(this);
        }
        return handle;
    }

    private ByteBuffer cell() {
        ByteBuffer present = cell;
        if (present == null) {
            throw Handle.withoutConstructor(this);
        }
        return present;
    }

    /** Returns a limit that the cell has or had. Whoever draws one number reads it first. */
    private long knownLimit() {
        return (long) KNOWN_LIMIT.getAcquire(this);
    }

    /** After each visit to the cold path. */
    private void catchUp() {
        KNOWN_LIMIT.setRelease(this, LimitCell.limit(cell()));
    }

    /** Returns the next id, or one below 0 where the caller has to wait. */
    private long draw() {
        long limit = knownLimit();
        long number = LimitCell.draw(cell());
        return number < limit ? number : judge(limit, number);
    }

    /** Returns the next id of this thread's block, or of another block; or one below 0 where the caller has to wait. */
    private long drawAtPlace() {
        int at = at();
        long limit = LimitCell.limit(cell(), at);
        long number = LimitCell.draw(cell(), at);
        if (number < limit) {
            return number;
        }
        try {
            return Native.nextIdColdAt(handle(), thread());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * A virtual thread has a number of its own, so that it keeps to its place, and its ids increase, wherever it is
     * carried.
     */
    private static long thread() {
        return Thread.currentThread().getId();
    }

    /** Returns where the cell stands that this thread draws from. */
    private int at() {
        return relaxed ? ((int) thread() & places) * LimitCell.SIZE : 0;
    }

    /** Returns an id for a number that the known limit rejected, or one below 0 where the caller has to wait. */
    private long judge(long limit, long number) {
        try {
            return Native.nextIdCold(handle(), limit, number);
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the next id if one is in hand, or a number below 0. */
    private long look() {
        try {
            return Native.tryNextId(handle(), thread());
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    private long[] ids(long count, double timeoutSeconds) {
        long start = drawRun(count, timeoutSeconds);
        if (start >= 0) {
            return Runs.write(new long[(int) count], 0, start, (int) count);
        }
        long[] edges = take(Native.MANY, count, timeoutSeconds);
        return Runs.writeAll(new long[(int) count], 0, edges);
    }

    private LongRange range(long count, double timeoutSeconds) {
        long start = drawRun(count, timeoutSeconds);
        if (start >= 0) {
            return new LongRange(start, start + count);
        }
        long[] edges = take(Native.RUN, count, timeoutSeconds);
        return new LongRange(edges[0], edges[1]);
    }

    /** Returns the first of {@code count} ids where that costs one instruction; else a number below 0. */
    private long drawRun(long count, double timeoutSeconds) {
        boolean plain =
                count >= 1 && count <= MAX_BATCH && (Double.isNaN(timeoutSeconds) || Waiting.isPlain(timeoutSeconds));
        return plain ? LimitCell.drawRun(cell(), at(), count) : LimitCell.NONE;
    }

    /** Returns the edges of the ranges that make up what is wanted. */
    private long[] take(int want, long count, double timeoutSeconds) {
        try {
            long[] taken = Native.take(handle(), thread(), want, count, timeoutSeconds);
            return taken.length > 1 ? taken : await(taken[0]);
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    private long takeWithGene(long gene, double timeoutSeconds) {
        try {
            long[] taken = Native.takeWithGene(handle(), thread(), gene, timeoutSeconds);
            return taken.length > 1 ? taken[0] : await(taken[0])[0];
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] await(long wait) {
        try {
            return Waiting.until(new Call(wait));
        } finally {
            Native.waitEnd(wait);
        }
    }

    private final class Call implements Waiting.Call {
        private final long wait;

        Call(long wait) {
            this.wait = wait;
        }

        @Override
        public long[] poll() {
            return Native.waitPoll(wait);
        }

        @Override
        public long due() {
            return Native.NOT_YET;
        }

        @Override
        public long left() {
            return Native.waitLeft(wait);
        }

        @Override
        public void wake(long number) {
            Native.waitWake(wait, number);
        }

        @Override
        public LeafmintException interrupted() {
            return new SegmentUnavailableException("interrupted while waiting for ids of biz_tag \""
                    + Text.printable(name) + "\" from " + generator.scope());
        }
    }
}
