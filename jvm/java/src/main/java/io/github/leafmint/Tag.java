package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.natives.LimitCell;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.RecordReader;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.internal.threads.AsyncCall;
import io.github.leafmint.internal.threads.Waiting;
import io.github.leafmint.sharding.Genes;
import io.github.leafmint.status.TagStats;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Mints the ids of one tag. Get it once from {@link SegmentGenerator#tag(String)} and keep it.
 *
 * <p>Ids are 0 or more, unique within the generator's {@linkplain SegmentGenerator#scope() scope}, and strictly
 * increase within the generator, or with {@linkplain #order() relaxed order} within each thread. A tag can be used from
 * any thread. An id in hand costs no I/O.
 *
 * <p>If none is in hand, a method that returns ids waits up to its timeout, or the option {@code timeout}. Waiting
 * parks the thread, so a virtual thread releases its carrier. Such a method throws
 *
 * <ul>
 *   <li>{@link SegmentUnavailableException} after the timeout, or if the thread is interrupted while it waits; the
 *       interrupt flag stays set,
 *   <li>{@link ClosedException} after {@link SegmentGenerator#close()},
 *   <li>{@link UnknownTagException} if the store does not have the tag,
 *   <li>{@link InvalidConfigException} if the store has a row of the tag that cannot be used,
 *   <li>{@link StoreRegressedException} if the store leased ids that it had leased before,
 *   <li>{@link IdSpaceExhaustedException} after the last id that fits,
 *   <li>{@link InvalidArgumentException} if the tag has {@linkplain #geneBits() gene bits} and the method takes no
 *       gene.
 * </ul>
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("memory:")) {
 *     Tag order = ids.tag("order");
 *     long id = order.nextId();
 *     long[] many = order.nextIds(1000);
 * }
 * }</pre>
 */
public final class Tag extends TagCells implements IdSource {
    private final String name;
    private final long geneBits;
    private final SegmentGenerator generator;

    Tag(String name, long geneBits, IdOrder order, SegmentGenerator generator, long handle) {
        super(handle, order == IdOrder.RELAXED);
        this.name = name;
        this.geneBits = geneBits;
        this.generator = generator;
    }

    /**
     * Returns the name of the tag.
     *
     * @return the name
     */
    public String name() {
        handle();
        return name;
    }

    /**
     * Returns the number of low bits of each id that are its gene.
     *
     * @return 1 to 12, or 0 for none
     */
    public long geneBits() {
        handle();
        return geneBits;
    }

    /**
     * Returns the order of the ids.
     *
     * @return the order
     */
    public IdOrder order() {
        handle();
        return relaxed ? IdOrder.RELAXED : IdOrder.STRICT;
    }

    /**
     * Returns the next id, waiting up to the option {@code timeout}.
     *
     * @return an id, 0 or more
     */
    @Override
    public long nextId() {
        if (relaxed) {
            long id = drawFromStripe();
            return id >= 0 ? id : take(Native.ONE, 1, Native.DEFAULT_TIMEOUT)[0];
        }
        long limit = knownLimit();
        long number = LimitCell.draw(cells());
        if (number < limit) {
            return number;
        }
        long id = drawCold(limit, number);
        return id >= 0 ? id : take(Native.ONE, 1, Native.DEFAULT_TIMEOUT)[0];
    }

    /**
     * Returns the next id, waiting up to {@code timeout}.
     *
     * @param timeout 0 to one year
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code timeout} is out of range
     */
    @Override
    public long nextId(Duration timeout) {
        double seconds = Times.seconds(timeout);
        if (Waiting.isValid(seconds)) {
            long id = relaxed ? drawFromStripe() : draw();
            if (id >= 0) {
                return id;
            }
        }
        return take(Native.ONE, 1, seconds)[0];
    }

    /**
     * Returns the next id with a gene in its low bits, for a tag with gene bits. Waits up to the option
     * {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code gene} is out of range, or if the tag has no gene bits
     * @see Genes#geneOfKey(String, long)
     */
    @Override
    public long nextIdWithGene(long gene) {
        return takeWithGene(gene, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns the next id with a gene in its low bits, waiting up to {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag
     * @param timeout 0 to one year
     * @return an id, 0 or more
     * @throws InvalidArgumentException if an argument is out of range, or if the tag has no gene bits
     */
    @Override
    public long nextIdWithGene(long gene, Duration timeout) {
        return takeWithGene(gene, Times.seconds(timeout));
    }

    /**
     * Returns the next id if one is in hand. Never waits.
     *
     * <p>If none is, the call starts to lease some in the background. Polling an empty tag uses up no numbers.
     *
     * @return an id, or empty
     */
    @Override
    public OptionalLong tryNextId() {
        long id = drawIfInHand();
        return id >= 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /**
     * Returns {@code count} ascending ids, with a gap if a segment ends among them. Waits up to the option
     * {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return the ids
     * @throws InvalidArgumentException if {@code count} is out of range
     */
    @Override
    public long[] nextIds(long count) {
        return ids(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ascending ids, waiting up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return the ids
     * @throws InvalidArgumentException if an argument is out of range
     */
    @Override
    public long[] nextIds(long count, Duration timeout) {
        return ids(count, Times.seconds(timeout));
    }

    /**
     * Fills an array with ascending ids, with a gap if a segment ends among them. If it throws, the array is unchanged.
     *
     * @param into an array of at most 2<sup>26</sup> elements
     * @throws InvalidArgumentException if the array is longer
     */
    public void nextIds(long[] into) {
        nextIds(into, 0, requireNonNull(into, "into").length);
    }

    /**
     * Fills part of an array with ascending ids, with a gap if a segment ends among them. If it throws, the array is
     * unchanged.
     *
     * @param into the array
     * @param from the index of the first element to fill
     * @param count the number of elements to fill, 0 to 2<sup>26</sup>
     * @throws InvalidArgumentException if {@code count} is out of range
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public void nextIds(long[] into, int from, int count) {
        Objects.checkFromIndexSize(from, count, requireNonNull(into, "into").length);
        long start = drawRun(count, Native.DEFAULT_TIMEOUT);
        if (start >= 0) {
            write(into, from, start, count);
        } else {
            writeAll(into, from, take(Native.MANY, count, Native.DEFAULT_TIMEOUT));
        }
    }

    /**
     * Returns {@code count} consecutive ids, waiting up to the option {@code timeout}.
     *
     * <p>If the rest of the segments in hand is too short, it is skipped and counted as unused.
     *
     * @param count 0 to 2<sup>30</sup>, the most that one lease holds
     * @return the ids
     * @throws InvalidArgumentException if {@code count} is out of range
     */
    public LongRange nextRange(long count) {
        return range(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} consecutive ids, waiting up to {@code timeout}.
     *
     * @param count 0 to 2<sup>30</sup>, the most that one lease holds
     * @param timeout 0 to one year
     * @return the ids
     * @throws InvalidArgumentException if an argument is out of range
     */
    public LongRange nextRange(long count, Duration timeout) {
        return range(count, Times.seconds(timeout));
    }

    /**
     * Returns a future of {@code count} consecutive ids, which waits up to the option {@code timeout}.
     *
     * @param count 0 to 2<sup>30</sup>, the most that one lease holds
     * @return a future of the ids
     */
    public CompletableFuture<LongRange> nextRangeAsync(long count) {
        return rangeLater(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns a future of {@code count} consecutive ids, which waits up to {@code timeout}.
     *
     * @param count 0 to 2<sup>30</sup>, the most that one lease holds
     * @param timeout 0 to one year
     * @return a future of the ids
     */
    public CompletableFuture<LongRange> nextRangeAsync(long count, Duration timeout) {
        return rangeLater(count, Times.seconds(timeout));
    }

    /**
     * Returns the current statistics of this tag. Also works after {@link SegmentGenerator#close()}, and is cheap
     * enough for a meter.
     *
     * @return a snapshot
     */
    public TagStats stats() {
        try {
            long[] numbers = Native.tagStats(handle());
            TagStats stats = RecordReader.tagStats(numbers, 0, null, null);
            // Without a failure there is no text to fetch.
            if (stats.lastErrorAt() == null && stats.failuresInARow() == 0) {
                return stats;
            }
            String[] failure = Native.tagLastError(handle());
            return RecordReader.tagStats(numbers, 0, failure[0], failure[1]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public CompletableFuture<Long> nextIdAsync() {
        return one(Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdAsync(Duration timeout) {
        return one(Times.seconds(timeout));
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene) {
        return oneWithGene(gene, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene, Duration timeout) {
        return oneWithGene(gene, Times.seconds(timeout));
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count) {
        return many(count, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count, Duration timeout) {
        return many(count, Times.seconds(timeout));
    }

    /**
     * Returns the next id, as {@link #nextId()} does.
     *
     * @return an id, 0 or more
     */
    @Override
    public long getAsLong() {
        return nextId();
    }

    /**
     * Returns the name of the tag and the scope of its generator.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        handle();
        return "Tag[" + Text.printable(name) + " of " + generator.scope() + "]";
    }

    private long[] ids(long count, double timeoutSeconds) {
        long[] ids = room(count);
        long start = drawRun(count, timeoutSeconds);
        if (start >= 0) {
            return write(ids, 0, start, (int) count);
        }
        return writeAll(ids, 0, take(Native.MANY, count, timeoutSeconds));
    }

    private LongRange range(long count, double timeoutSeconds) {
        long start = drawRun(count, timeoutSeconds);
        if (start >= 0) {
            return new Results.LongRange(start, start + count);
        }
        long[] edges = take(Native.RUN, count, timeoutSeconds);
        return new Results.LongRange(edges[0], edges[1]);
    }

    private CompletableFuture<LongRange> rangeLater(long count, double timeoutSeconds) {
        return AsyncCall.begin(
                () -> {
                    long start = drawRun(count, timeoutSeconds);
                    return start >= 0 ? new long[] {start, start + count} : begin(Native.RUN, count, timeoutSeconds);
                },
                edges -> new Results.LongRange(edges[0], edges[1]),
                this);
    }

    @Override
    LeafmintException interrupted() {
        return new SegmentUnavailableException(
                "interrupted while waiting for ids of tag \"" + Text.printable(name) + "\" from " + generator.scope());
    }

    private CompletableFuture<Long> one(double timeoutSeconds) {
        try {
            if (Waiting.isValid(timeoutSeconds)) {
                long id = relaxed ? drawFromStripe() : draw();
                if (id >= 0) {
                    return CompletableFuture.completedFuture(id);
                }
            }
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return AsyncCall.begin(() -> begin(Native.ONE, 1, timeoutSeconds), this::first, this);
    }

    private CompletableFuture<Long> oneWithGene(long gene, double timeoutSeconds) {
        return AsyncCall.begin(() -> beginWithGene(gene, timeoutSeconds), range -> range[0], this);
    }

    private long first(long[] range) {
        catchUp();
        return range[0];
    }

    private CompletableFuture<long[]> many(long count, double timeoutSeconds) {
        long[] ids = room(count);
        return AsyncCall.begin(
                () -> {
                    long start = drawRun(count, timeoutSeconds);
                    return start >= 0 ? new long[] {start, start + count} : begin(Native.MANY, count, timeoutSeconds);
                },
                ranges -> writeAll(ids, 0, ranges),
                this);
    }

    /** Returns room for an answer before an id is taken; none for a number of ids that the core refuses. */
    static long[] room(long count) {
        return new long[count >= 0 && count <= MAX_BATCH ? (int) count : 0];
    }

    /** Writes {@code count} ids from {@code start} on, the first one at index {@code from}. */
    private static long[] write(long[] into, int from, long start, int count) {
        long ahead = start - from;
        for (int at = from, end = from + count; at < end; at++) {
            into[at] = ahead + at;
        }
        return into;
    }

    /** Writes the ids of all runs; {@code edges} holds start and end of each. */
    static long[] writeAll(long[] into, int from, long[] edges) {
        for (int edge = 0; edge < edges.length; edge += 2) {
            int count = (int) (edges[edge + 1] - edges[edge]);
            write(into, from, edges[edge], count);
            from += count;
        }
        return into;
    }
}
