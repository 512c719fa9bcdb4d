package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.lending.JdbcSource;
import io.github.leafmint.internal.natives.GeneratorNatives;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.OptionValues;
import io.github.leafmint.internal.natives.RecordReader;
import io.github.leafmint.internal.threads.Answering;
import io.github.leafmint.internal.threads.AsyncCall;
import io.github.leafmint.internal.threads.BackgroundCall;
import io.github.leafmint.internal.threads.Waiting;
import io.github.leafmint.sharding.Genes;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.WorkerInfo;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Mints snowflakes: 63-bit ids built from a timestamp, a worker id and a sequence number, as a {@link Layout} arranges
 * them.
 *
 * <p>Ids are 0 or more, unique within the {@linkplain #scope() scope} and the namespace, and strictly increase within
 * one generator. Worker id and time are leased ahead of need in the background, so an id costs no I/O. A generator can
 * be used from any thread. If it becomes unreachable, it is closed in the background; if it is still open when the JVM
 * exits, it is closed after all other shutdown hooks. All generators together have half a second for that.
 *
 * <p>A method that returns ids waits up to its timeout, or the option {@code timeout}, for a worker id, for the tick of
 * an id or for time to be reserved. Waiting parks the thread, so a virtual thread releases its carrier. Such a method
 * throws
 *
 * <ul>
 *   <li>{@link ClosedException} after {@link #close()},
 *   <li>{@link WorkerIdUnavailableException} if no worker id is free, or if the thread is interrupted while it waits;
 *       the interrupt flag stays set,
 *   <li>{@link LeaseLostException} if the worker id was lost and none has replaced it yet,
 *   <li>{@link ClockMovedBackwardsException} if the clock is behind the ids and the option {@code clock_rollback}
 *       forbids that, before the epoch, or off the database's at the start by more than {@code max_clock_skew},
 *   <li>{@link RateExceededException} if all ids up to the timeout are used up,
 *   <li>{@link IdSpaceExhaustedException} after the last timestamp of the layout,
 *   <li>{@link StoreUnavailableException} or {@link InvalidConfigException} if the holder cannot be reached or used.
 * </ul>
 *
 * <pre>{@code
 * try (var flakes = SnowflakeGenerator.open("local:/var/lib/leafmint")) {
 *     long id = flakes.nextId();
 *     System.out.println(flakes.decode(id).timestamp());
 * }
 * }</pre>
 */
public final class SnowflakeGenerator extends Generator implements IdSource {
    private final Layout layout;

    private SnowflakeGenerator(long handle, @Nullable Answering asked) {
        super(handle, GeneratorNatives.SNOWFLAKES, asked);
        layout = new Layout(Native.snowflakeLayout(handle));
        Reference.reachabilityFence(this);
    }

    /**
     * Opens a generator over {@code local:/directory} (one host, a worker id for every process), {@code fixed:7} (this
     * worker id) or {@code mysql://user:password@host/database} (any number of hosts).
     *
     * <p>No worker id is taken before the first id, unless the option {@code eager} is set.
     *
     * @param url the holder, with options as query parameters
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, also what the first id would throw
     */
    public static SnowflakeGenerator open(String url) {
        return builder(url).open();
    }

    /**
     * Opens a generator over the database of the application, through the application's own data source: MySQL,
     * MariaDB, PostgreSQL, H2, HSQLDB, Derby or SQLite.
     *
     * <p>It connects for the first id, unless the option {@code eager} is set. Connections are taken on threads of its
     * own, never the caller's, for a moment each, and given back as they were. So a caller's transaction is not
     * touched, and a pool needs one connection more than those that wait for a first id.
     *
     * @param source the data source, which stays the application's: close it after the generator
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, also what the first id would throw
     */
    public static SnowflakeGenerator open(DataSource source) {
        return builder(source).open();
    }

    /**
     * Returns a builder for tests of applications: the generator's time is that of {@code clock}, its worker id needs
     * no holder, and no call waits.
     *
     * <p>The sequence numbers of each tick begin at 0, unless the option {@code sequence_jitter} is set. Options that
     * only holders have are accepted and have no effect. Generators on one clock mint the same ids, unless each has a
     * worker id of its own.
     *
     * <pre>{@code
     * VirtualClock clock = VirtualClock.at(Instant.parse("2026-12-24T00:00:00Z"));
     * try (var flakes = SnowflakeGenerator.builder(clock, 7).layout("wide").open()) {
     *     long first = flakes.nextId();
     *     clock.advance(Duration.ofDays(8));
     *     Instant later = flakes.decode(flakes.nextId()).timestamp(); // 2027-01-01T00:00:00Z
     * }
     * }</pre>
     *
     * @param clock the clock, which only the test moves
     * @param workerId 0 or more, within the worker bits of the layout
     * @return the builder
     */
    public static SnowflakeGeneratorBuilder builder(VirtualClock clock, long workerId) {
        return new SnowflakeGeneratorBuilder("").inVirtualTime(clock, workerId);
    }

    static SnowflakeGenerator built(OptionsBuilder<?> builder) {
        OptionValues options = builder.coreOptions();
        Answering asked = builder.answering();
        long handle = Answering.opened(asked, GeneratorNatives.SNOWFLAKES, builder.url(), options);
        var generator = new SnowflakeGenerator(handle, asked);
        generator.start();
        return generator;
    }

    static SnowflakeGenerator open(VirtualClock clock, long workerId, OptionValues options) {
        var generator = new SnowflakeGenerator(clock.open(workerId, options), null);
        generator.start();
        return generator;
    }

    /**
     * Returns a builder, for options that are not in the URL.
     *
     * @param url the holder
     * @return the builder
     */
    public static SnowflakeGeneratorBuilder builder(String url) {
        return new SnowflakeGeneratorBuilder(requireNonNull(url, "url"));
    }

    /**
     * Returns a builder for the database of a data source: see {@link #open(DataSource)}.
     *
     * @param source the data source
     * @return the builder
     */
    public static SnowflakeGeneratorBuilder builder(DataSource source) {
        return new SnowflakeGeneratorBuilder(new JdbcSource(requireNonNull(source, "source")));
    }

    /**
     * Returns the next id, waiting up to the option {@code timeout}.
     *
     * @return an id, 0 or more
     */
    @Override
    public long nextId() {
        long id = draw();
        return id >= 0 ? id : take(Native.ONE, 1, false, 0, Native.DEFAULT_TIMEOUT)[0];
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
            long id = draw();
            if (id >= 0) {
                return id;
            }
        }
        return take(Native.ONE, 1, false, 0, seconds)[0];
    }

    /**
     * Returns the next id with a gene in its low bits, for a layout with gene bits. Waits up to the option
     * {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the layout
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code gene} is out of range
     * @see Genes#geneOfKey(String, long)
     */
    @Override
    public long nextIdWithGene(long gene) {
        return take(Native.ONE, 1, true, gene, Native.DEFAULT_TIMEOUT)[0];
    }

    /**
     * Returns the next id with a gene in its low bits, waiting up to {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the layout
     * @param timeout 0 to one year
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code gene} or {@code timeout} is out of range
     */
    @Override
    public long nextIdWithGene(long gene, Duration timeout) {
        return take(Native.ONE, 1, true, gene, Times.seconds(timeout))[0];
    }

    /**
     * Returns the next id if there is one in the current tick. Never waits.
     *
     * <p>If the generator has no worker id yet, the call starts to take one in the background.
     *
     * @return an id, or empty
     */
    @Override
    public OptionalLong tryNextId() {
        long id = draw();
        return id >= 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /**
     * Returns {@code count} ascending ids, waiting up to the option {@code timeout}. If the wait ends before, the ids
     * drawn until then are dropped: no call gets them.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return the ids
     * @throws InvalidArgumentException if {@code count} is out of range
     */
    @Override
    public long[] nextIds(long count) {
        return take(Native.MANY, count, false, 0, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ascending ids, waiting up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return the ids
     * @throws InvalidArgumentException if {@code count} or {@code timeout} is out of range
     */
    @Override
    public long[] nextIds(long count, Duration timeout) {
        return take(Native.MANY, count, false, 0, Times.seconds(timeout));
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
        return one(true, gene, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene, Duration timeout) {
        return one(true, gene, Times.seconds(timeout));
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
     * Returns an id for a moment that has passed: its timestamp is that of the moment. It is unique as every id of the
     * generator is, and carries a worker id that no process has ever held. Waits up to the option {@code timeout}.
     *
     * @param at the moment, rounded down to the layout's tick
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code at} is before the layout's epoch or to come
     * @throws WorkerIdUnavailableException if no worker id is left that no process has ever held
     * @throws InvalidConfigException if the holder keeps no worker ids for past moments, as {@code fixed:}
     */
    public long backfill(Instant at) {
        return backfill(new long[] {Times.unixMillis(at)}, false, 0)[0];
    }

    /**
     * Does what {@link #backfill(Instant)} does, and blocks no thread.
     *
     * @param at as there
     * @return a future of an id
     */
    public CompletableFuture<Long> backfillAsync(Instant at) {
        long moment = Times.unixMillis(at);
        return AsyncCall.begin(() -> beginBackfill(new long[] {moment}, false, 0), ids -> ids[0], this);
    }

    /**
     * Returns an id for a moment that has passed, with a gene in its low bits, for a layout with gene bits.
     *
     * @param at as in {@link #backfill(Instant)}
     * @param gene 0 or more, within the gene bits of the layout
     * @return an id, 0 or more
     * @throws InvalidArgumentException if {@code gene} is out of range
     */
    public long backfillWithGene(Instant at, long gene) {
        return backfill(new long[] {Times.unixMillis(at)}, true, gene)[0];
    }

    /**
     * Does what {@link #backfillWithGene} does, and blocks no thread.
     *
     * @param at as there
     * @param gene as there
     * @return a future of an id
     */
    public CompletableFuture<Long> backfillWithGeneAsync(Instant at, long gene) {
        long moment = Times.unixMillis(at);
        return AsyncCall.begin(() -> beginBackfill(new long[] {moment}, true, gene), ids -> ids[0], this);
    }

    /**
     * Returns ids for many past moments, in their order, which need not be that of time. The holder is asked once for
     * each span of 2<sup>27</sup> ticks, 37 hours of milliseconds, each time for up to the option {@code timeout}.
     *
     * @param unixMillis up to 2<sup>26</sup> moments, in Unix milliseconds
     * @return an id for each moment; if the call fails, no call gets them
     * @throws InvalidArgumentException as {@link #backfill(Instant)} does
     */
    public long[] backfill(long[] unixMillis) {
        return backfill(requireNonNull(unixMillis, "unixMillis"), false, 0);
    }

    /**
     * Does what {@link #backfill(long[])} does, and blocks no thread.
     *
     * @param unixMillis as there
     * @return a future of the ids
     */
    public CompletableFuture<long[]> backfillAsync(long[] unixMillis) {
        requireNonNull(unixMillis, "unixMillis");
        return AsyncCall.begin(() -> beginBackfill(unixMillis, false, 0), ids -> ids, this);
    }

    /**
     * Decodes an id of this generator's layout. Also works after {@link #close()}.
     *
     * @param id any id of the layout
     * @return its parts
     * @throws InvalidIdException if {@code id} is negative or has more bits than the layout
     */
    public DecodedId decode(long id) {
        return layout().decode(id);
    }

    /**
     * Returns the layout of the ids.
     *
     * @return the layout, always the same object
     */
    public Layout layout() {
        handle();
        return layout;
    }

    /**
     * Returns the current worker id.
     *
     * @return the worker id; empty before the first id and while a lost lease is being replaced
     */
    public OptionalLong workerId() {
        try {
            long workerId = Native.snowflakeWorkerId(handle());
            return workerId >= 0 ? OptionalLong.of(workerId) : OptionalLong.empty();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the current statistics. Also works after {@link #close()}.
     *
     * @return a snapshot
     */
    public SnowflakeStats stats() {
        try {
            return RecordReader.snowflakeStats(Native.snowflakeStats(handle()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Lists the worker ids that were taken at least once, in ascending order, without taking one.
     *
     * @return every such worker id that this generator may take
     * @throws InvalidConfigException if they belong to another layout, or the account or the directory does not fit
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<WorkerInfo> listWorkers() {
        return listing().await();
    }

    /**
     * Does what {@link #listWorkers()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<List<WorkerInfo>> listWorkersAsync() {
        return listing().future();
    }

    private BackgroundCall<List<WorkerInfo>> listing() {
        return BackgroundCall.ofTexts(
                this, "listWorkers", () -> Native.snowflakeListWorkers(handle()), RecordReader::workers);
    }

    /**
     * Frees a worker id whose owner is gone.
     *
     * <p>No id can repeat: the next owner begins behind the time that is reserved. If the owner lives, it loses the
     * lease and takes another worker id. In a directory the worker id of a living process cannot be freed.
     *
     * @param workerId the worker id
     * @param force whether to free it although its horizon has not passed
     * @return false if it is free already
     * @throws WorkerIdUnavailableException if it is still held; the message names the owner
     * @throws InvalidArgumentException if this generator may not take that worker id
     * @throws InvalidConfigException as {@link #listWorkers()} does
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached
     */
    public boolean releaseWorker(long workerId, boolean force) {
        return release(workerId, force).await();
    }

    /**
     * Does what {@link #releaseWorker} does, and blocks no thread.
     *
     * @param workerId the worker id
     * @param force whether to free it although its horizon has not passed
     * @return a future of its answer
     */
    public CompletableFuture<Boolean> releaseWorkerAsync(long workerId, boolean force) {
        return release(workerId, force).future();
    }

    private BackgroundCall<Boolean> release(long workerId, boolean force) {
        return BackgroundCall.ofChange(
                this, "releaseWorker", () -> Native.snowflakeReleaseWorker(handle(), workerId, force));
    }

    /**
     * Checks the holder: connects, and checks the layout, the clocks and the account, without taking a worker id.
     *
     * @return what was found
     * @throws InvalidConfigException as {@link #listWorkers()} does
     * @throws ClockMovedBackwardsException if this host's clock is ahead of the database's, or behind it
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public SnowflakeCheck check() {
        return checking().await();
    }

    /**
     * Does what {@link #check()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<SnowflakeCheck> checkAsync() {
        return checking().future();
    }

    private BackgroundCall<SnowflakeCheck> checking() {
        return BackgroundCall.ofTexts(
                this, "check", () -> Native.snowflakeCheck(handle()), RecordReader::snowflakeCheck);
    }

    /** Returns the next id, or {@link Native#NOT_YET} if the caller has to wait. */
    private long draw() {
        try {
            return Native.snowflakeNextId(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Begins a call for ids: see {@link Native#snowflakeTake}. */
    private long[] begin(int want, long count, boolean hasGene, long gene, double timeoutSeconds) {
        try {
            return Native.snowflakeTake(handle(), want, count, hasGene, gene, timeoutSeconds);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] take(int want, long count, boolean hasGene, long gene, double timeoutSeconds) {
        try {
            long[] answer = Waiting.answer(begin(want, count, hasGene, gene, timeoutSeconds));
            if (answer == null) {
                throw new WorkerIdUnavailableException("interrupted while waiting for an id from " + scope());
            }
            return answer;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] backfill(long[] moments, boolean hasGene, long gene) {
        try {
            long[] answer = Waiting.answer(beginBackfill(moments, hasGene, gene));
            if (answer == null) {
                throw new WorkerIdUnavailableException("interrupted while waiting for an id from " + scope());
            }
            return answer;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] beginBackfill(long[] moments, boolean hasGene, long gene) {
        try {
            return Native.snowflakeBackfill(handle(), moments, hasGene, gene, Native.DEFAULT_TIMEOUT);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private CompletableFuture<Long> one(double timeoutSeconds) {
        try {
            if (Waiting.isValid(timeoutSeconds)) {
                long id = draw();
                if (id >= 0) {
                    return CompletableFuture.completedFuture(id);
                }
            }
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return one(false, 0, timeoutSeconds);
    }

    private CompletableFuture<Long> one(boolean hasGene, long gene, double timeoutSeconds) {
        return AsyncCall.begin(() -> begin(Native.ONE, 1, hasGene, gene, timeoutSeconds), ids -> ids[0], this);
    }

    private CompletableFuture<long[]> many(long count, double timeoutSeconds) {
        return AsyncCall.begin(() -> begin(Native.MANY, count, false, 0, timeoutSeconds), ids -> ids, this);
    }
}
