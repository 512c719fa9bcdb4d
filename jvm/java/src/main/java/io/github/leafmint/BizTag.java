package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Mints the ids of one tag. Resolve it once with {@link SegmentGenerator#bizTag}, use it for ever, from any thread.
 *
 * <p>Ids are 0 or more, unique within the generator's {@linkplain SegmentGenerator#scope() scope}, and strictly increase within the
 * generator. An id in hand costs no I/O. Where supply has run out, a call waits for at most its timeout, or else the option
 * {@code timeout}; a timeout is from 0 to a year. Waiting parks: a virtual thread lets go of its carrier.
 *
 * <p>Every method that returns ids throws {@link ClosedException} after {@link SegmentGenerator#close}, {@link UnknownTagException},
 * {@link StoreRegressedException}, {@link IdSpaceExhaustedException}, {@link InvalidConfigException} where the tag's row cannot be
 * used, and, where it waits, {@link SegmentUnavailableException} once the timeout is over. An interrupt ends a wait with
 * {@link SegmentUnavailableException} too, and leaves the interrupt flag set; ids in hand are had all the same.
 *
 * <p>The ids of a tag with {@linkplain #geneBits() gene bits} carry a gene in their lowest bits: {@link #nextIdWithGene(long)} takes
 * it, {@link Genes#shardOf} reads it back, and every method that takes none throws {@link InvalidArgumentException}.
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
    private final String name;
    private final long geneBits;
    private final SegmentGenerator generator;
    private final long handle;

    BizTag(String name, long geneBits, SegmentGenerator generator, long handle) {
        this.name = name;
        this.geneBits = geneBits;
        this.generator = generator;
        this.handle = handle;
        Handle.freeWhenUnreachable(this, handle, Native::tagFree);
    }

    /**
     * Returns the tag's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns how many lowest bits of an id carry a gene.
     *
     * @return 1 to 12, or 0 for none
     */
    public long geneBits() {
        return geneBits;
    }

    /**
     * Returns the next id, waiting for at most the option {@code timeout} where supply has run out.
     *
     * @return an id, 0 or more
     */
    public long nextId() {
        long id = draw();
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
            long id = draw();
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
        try {
            long id = Native.tryNextId(handle);
            return id >= 0 ? OptionalLong.of(id) : OptionalLong.empty();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns {@code count} ids, ascending, with a gap where a segment ends.
     *
     * @param count from 1 to 2<sup>20</sup>
     * @return the ids
     * @throws InvalidArgumentException for any other count
     */
    public long[] nextIds(long count) {
        return ids(take(Native.MANY, count, Native.DEFAULT_TIMEOUT), count);
    }

    /**
     * Returns {@code count} ids, waiting for at most {@code timeout}.
     *
     * @param count from 1 to 2<sup>20</sup>
     * @param timeout from 0 to a year
     * @return the ids, ascending
     * @throws InvalidArgumentException for any other count or timeout
     */
    public long[] nextIds(long count, Duration timeout) {
        return ids(take(Native.MANY, count, Waiting.seconds(requireNonNull(timeout, "timeout"))), count);
    }

    /**
     * Returns {@code count} ids in one piece.
     *
     * <p>Where the segments in hand are too short, what is left of them is passed over, and counted as unused.
     *
     * @param count from 1 to 2<sup>20</sup>
     * @return the ids
     * @throws InvalidArgumentException for any other count
     */
    public LongRange nextRange(long count) {
        long[] edges = take(Native.RUN, count, Native.DEFAULT_TIMEOUT);
        return new LongRange(edges[0], edges[1]);
    }

    /**
     * Returns {@code count} ids in one piece, waiting for at most {@code timeout}.
     *
     * @param count from 1 to 2<sup>20</sup>
     * @param timeout from 0 to a year
     * @return the ids
     * @throws InvalidArgumentException for any other count or timeout
     */
    public LongRange nextRange(long count, Duration timeout) {
        long[] edges = take(Native.RUN, count, Waiting.seconds(requireNonNull(timeout, "timeout")));
        return new LongRange(edges[0], edges[1]);
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
        return "BizTag[" + name + " of " + generator.scope() + "]";
    }

    private long draw() {
        try {
            return Native.nextId(handle);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the edges of the ranges that make up what is wanted. */
    private long[] take(int want, long count, double timeoutSeconds) {
        try {
            long[] taken = Native.take(handle, want, count, timeoutSeconds);
            return taken.length > 1 ? taken : await(taken[0]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long takeWithGene(long gene, double timeoutSeconds) {
        try {
            long[] taken = Native.takeWithGene(handle, gene, timeoutSeconds);
            return taken.length > 1 ? taken[0] : await(taken[0])[0];
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] await(long wait) {
        try {
            return Waiting.until(() -> Native.waitPoll(wait), this::interrupted);
        } finally {
            Native.waitEnd(wait);
        }
    }

    private SegmentUnavailableException interrupted() {
        return new SegmentUnavailableException("interrupted while waiting for ids of biz_tag \"" + name + "\" from " + generator.scope());
    }

    private static long[] ids(long[] edges, long count) {
        long[] ids = new long[(int) count];
        int at = 0;
        for (int edge = 0; edge < edges.length; edge += 2) {
            for (long id = edges[edge]; id < edges[edge + 1]; id++) {
                ids[at++] = id;
            }
        }
        return ids;
    }
}
