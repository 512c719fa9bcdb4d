package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Mints snowflakes: time, worker id and sequence in one number, laid out by a {@link Layout}.
 *
 * <p>Ids are 0 or more, unique among everyone who shares the holder and the namespace (see {@link #scope()}), and strictly increase
 * within one generator. Worker id and time are leased ahead of need in the background, so that an id costs no I/O. A generator can
 * be used from any thread. One that is neither closed nor reachable is closed in the background; those that are live when the
 * virtual machine exits are closed after all other shutdown hooks, within half a second.
 *
 * <p>Every method that returns ids throws {@link ClosedException} after {@link #close()}, {@link WorkerIdUnavailableException},
 * {@link LeaseLostException}, {@link ClockMovedBackwardsException}, {@link RateExceededException},
 * {@link IdSpaceExhaustedException}, {@link StoreUnavailableException}, and {@link InvalidConfigException} where the holder cannot be used. An interrupt ends a wait
 * with {@link WorkerIdUnavailableException}, and leaves the interrupt flag set; ids that can be had at once are had all the same.
 * Waiting parks: a virtual thread lets go of its carrier.
 *
 * <pre>{@code
 * try (var flakes = SnowflakeGenerator.open("local:///var/lib/leafmint")) {
 *     long id = flakes.nextId();
 *     System.out.println(flakes.decode(id).timestamp());
 * }
 * }</pre>
 */
public final class SnowflakeGenerator implements AutoCloseable, LongSupplier {
    private final Handle handle;
    private final OpenGenerator open;
    private final Layout layout;

    private SnowflakeGenerator(long handle) {
        OpenGenerator opened = OpenGenerator.begin();
        open = opened;
        this.handle = new Handle(handle, lost -> {
            Native.snowflakeFree(lost);
            opened.end();
        });
        layout = new Layout(Native.snowflakeLayout(handle));
        Reference.reachabilityFence(this);
    }

    /**
     * Opens a generator over {@code local:///directory} (one host, every process its own worker id), {@code fixed:7} (this worker
     * id) or {@code mysql://user:password@host/database} (any number of hosts).
     *
     * <p>Nothing is taken before the first id, unless the option {@code eager} is set.
     *
     * @param url the holder, with options as query parameters
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, what the first id would throw
     */
    public static SnowflakeGenerator open(String url) {
        return builder(url).open();
    }

    static SnowflakeGenerator open(String url, String[] namesAndValues, String[] workerMap) {
        var generator = new SnowflakeGenerator(Native.snowflakeOpen(url, namesAndValues, workerMap));
        generator.makeReady();
        if (Native.snowflakeClosesAtExit(generator.handle())) {
            LiveGenerators.add(generator);
        }
        return generator;
    }

    /**
     * Returns a builder, for options that do not stand in the URL.
     *
     * @param url the holder
     * @return the builder
     */
    public static SnowflakeGeneratorBuilder builder(String url) {
        return new SnowflakeGeneratorBuilder(requireNonNull(url, "url"));
    }

    /**
     * Returns the next id, waiting for at most the option {@code timeout}: for a worker id, for the id's tick, or for time to be
     * reserved.
     *
     * @return an id, 0 or more
     */
    public long nextId() {
        long id = draw();
        return id >= 0 ? id : take(Native.ONE, 1, false, 0, Native.DEFAULT_TIMEOUT)[0];
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
        return take(Native.ONE, 1, false, 0, seconds)[0];
    }

    /**
     * Returns the next id of a layout with gene bits, with this gene in its lowest bits.
     *
     * @param gene from 0 on, within the layout's gene bits
     * @return an id, 0 or more
     * @throws InvalidArgumentException for any other gene
     * @see Genes#geneOf(String, long)
     */
    public long nextIdWithGene(long gene) {
        return take(Native.ONE, 1, true, gene, Native.DEFAULT_TIMEOUT)[0];
    }

    /**
     * Returns the next id with a gene, waiting for at most {@code timeout}.
     *
     * @param gene from 0 on, within the layout's gene bits
     * @param timeout from 0 to a year
     * @return an id, 0 or more
     * @throws InvalidArgumentException for any other gene or timeout
     */
    public long nextIdWithGene(long gene, Duration timeout) {
        return take(Native.ONE, 1, true, gene, Waiting.seconds(requireNonNull(timeout, "timeout")))[0];
    }

    /**
     * Returns the next id if one can be had in the present tick, without ever waiting.
     *
     * <p>Where there is no worker id yet, one is being taken when it returns.
     *
     * @return an id, or empty
     */
    public OptionalLong tryNextId() {
        long id = draw();
        return id >= 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /**
     * Returns {@code count} ids, ascending.
     *
     * @param count from 0 to 2<sup>20</sup>
     * @return the ids
     * @throws InvalidArgumentException for any other count
     */
    public long[] nextIds(long count) {
        return take(Native.MANY, count, false, 0, Native.DEFAULT_TIMEOUT);
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
        return take(Native.MANY, count, false, 0, Waiting.seconds(requireNonNull(timeout, "timeout")));
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
     * Takes an id of this generator's layout apart. It works after {@link #close()} too.
     *
     * @param id any id of the layout
     * @return its parts
     * @throws InvalidIdException for a negative number and for one with more bits than the layout has
     */
    public DecodedId decode(long id) {
        return layout().decode(id);
    }

    /**
     * Returns the layout.
     *
     * @return always the same one
     */
    public Layout layout() {
        handle();
        return layout;
    }

    /**
     * Returns the present worker id.
     *
     * @return empty before the first id and while a lost lease is replaced
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
     * Returns how the generator is doing. It works after {@link #close()} too.
     *
     * @return a snapshot
     */
    public SnowflakeStats stats() {
        try {
            return SnowflakeStats.read(Native.snowflakeStats(handle()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Names the holder, without credentials, and says who shares its worker ids.
     *
     * @return a text for people
     */
    public String scope() {
        try {
            return Native.snowflakeScope(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Ends the generator: writes the last stamped time back, so that the next owner of the worker id need not wait.
     *
     * <p>Ends within the option {@code timeout}, and does not end early for an interrupt, whose flag it keeps. Afterwards every call
     * that mints throws {@link ClosedException}, also in threads that are waiting for an id; a second close does nothing.
     */
    @Override
    public void close() {
        try {
            Waiting.untilDoneInAnyCase(beginClose());
            LiveGenerators.remove(this);
            open.end();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** From here on no id is handed out. */
    long beginClose() {
        try {
            return Native.snowflakeClose(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Shows the holder, without credentials.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "SnowflakeGenerator[" + scope() + "]";
    }

    /** Returns the next id, or {@link Native#NOT_YET} if the caller has to wait. */
    private long draw() {
        try {
            return Native.snowflakeNextId(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] take(int want, long count, boolean geneGiven, long gene, double timeoutSeconds) {
        try {
            long[] taken = Native.snowflakeTake(handle(), want, count, geneGiven, gene, timeoutSeconds);
            return taken.length > 0 && taken[0] == Native.NOT_YET ? await(taken[1]) : taken;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] await(long wait) {
        try {
            return Waiting.until(new Call(wait));
        } finally {
            Native.snowflakeWaitEnd(wait);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }

    private void makeReady() {
        try {
            Waiting.untilDone(Native.snowflakeMakeReady(handle()), "a worker id");
        } catch (RuntimeException failure) {
            Native.pendingEnd(beginClose());
            open.end();
            throw failure;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private final class Call implements Waiting.Call {
        private final long wait;

        Call(long wait) {
            this.wait = wait;
        }

        @Override
        public long[] poll() {
            return Native.snowflakeWaitPoll(wait);
        }

        @Override
        public long due() {
            return Native.snowflakeNextTick(wait);
        }

        @Override
        public long left() {
            return Native.snowflakeWaitLeft(wait);
        }

        @Override
        public void wake(long number) {
            Native.snowflakeWaitWake(wait, number);
        }

        @Override
        public LeafmintException interrupted() {
            return new WorkerIdUnavailableException("interrupted while waiting for an id from " + scope());
        }
    }
}
