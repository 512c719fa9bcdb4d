package io.github.leafmint.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.util.Statistics;

/**
 * Benchmarks of one class that are measured in turn.
 *
 * @param group what is compared
 * @param benchmarks the class
 * @param threads the number of threads
 * @param jvmArguments the options of the forked JVM
 * @param subjects what is compared, the floor first
 * @param figure which time of a call counts
 */
record Comparison(
        String group,
        Class<?> benchmarks,
        int threads,
        List<String> jvmArguments,
        List<Subject> subjects,
        Figure figure) {
    /** Which time of a call counts: the mean, or that which one call in ten thousand exceeds. */
    enum Figure {
        MEAN(Mode.AverageTime, Statistics::getMean),
        SLOWEST(Mode.SampleTime, times -> times.getPercentile(99.99));

        final Mode mode;
        final ToDoubleFunction<Statistics> of;

        Figure(Mode mode, ToDoubleFunction<Statistics> of) {
            this.mode = mode;
            this.of = of;
        }
    }

    /**
     * One benchmark.
     *
     * @param method its method
     * @param name its name in the tables
     * @param role {@code floor}, {@code leafmint} or {@code peer}
     * @param how its configuration
     */
    record Subject(String method, String name, String role, String how) {
        boolean runsOnEveryJdk() {
            return !role.equals("peer") || name.startsWith("CosId");
        }
    }

    private static final String LEAFMINT = "memory:, step 1000, which grows by leafmint's own policy";
    private static final String COSID_GROUPED =
            "2.13.3, SegmentChainId over YearMonthDayGroupBySupplier and IdSegmentDistributor.Atomic, step 1000000";
    private static final Subject COUNTER =
            new Subject("atomicLong", "AtomicLong", "floor", "AtomicLong.getAndIncrement()");
    private static final Subject STRICT = new Subject("leafmint", "leafmint", "leafmint", "nextId(), " + LEAFMINT);
    private static final List<Subject> SEGMENTS = List.of(
            COUNTER,
            STRICT,
            new Subject(
                    "leafmintRelaxed", "leafmint, relaxed order", "leafmint", "nextId(), IdOrder.RELAXED, " + LEAFMINT),
            new Subject(
                    "cosid",
                    "CosId SegmentChainId",
                    "peer",
                    "2.13.3, over IdSegmentDistributor.Atomic, step 1000000, default prefetch"),
            new Subject(
                    "locked",
                    "Leaf's locks",
                    "peer",
                    "written for this comparison: a double buffer behind a ReentrantReadWriteLock, step 1000000"));
    private static final List<Subject> BATCHES = List.of(
            COUNTER,
            new Subject("leafmintIntoArray", "leafmint, into an array", "leafmint", "nextIds(long[]), " + LEAFMINT),
            new Subject("leafmintNewArray", "leafmint, new array", "leafmint", "nextIds(1000), " + LEAFMINT),
            new Subject("leafmintRange", "leafmint, range", "leafmint", "nextRange(1000), " + LEAFMINT));
    private static final List<Subject> SNOWFLAKES = List.of(
            new Subject("currentTimeMillis", "currentTimeMillis", "floor", "System.currentTimeMillis()"),
            new Subject("nativeCall", "a native call", "floor", "a native method that returns a number"),
            new Subject(
                    "leafmint",
                    "leafmint",
                    "leafmint",
                    "nextId(), local:, " + Snowflakes.layout(SnowflakeBenchmark.SEQUENCE_BITS)),
            new Subject("cosid", "CosId", "peer", "2.13.3, MillisecondSnowflakeId, 41/2/20 bits"),
            new Subject(
                    "tsid",
                    "tsid-creator",
                    "peer",
                    "5.2.6, 2 node bits, counter of 20, SplittableRandom, System.currentTimeMillis"),
            new Subject("cachedUid", "uid-generator", "peer", CachedUids.HOW),
            new Subject(
                    "synchronizedMethod",
                    "Leaf's locks",
                    "peer",
                    "written for this comparison: a synchronized method, 41/2/20 bits"));

    private static final Subject AN_ID = new Subject("id", "an id", "floor", "nextId(), " + LEAFMINT);
    private static final Subject RANDOM_UUID =
            new Subject("randomUuid", "UUID.randomUUID", "peer", "UUID.randomUUID(), without its text");
    private static final List<Subject> NUMBERS = List.of(
            AN_ID,
            new Subject("currentTimeMillis", "a clock read", "floor", "System.currentTimeMillis()"),
            new Subject(
                    "idAndClock",
                    "an id and a clock read",
                    "floor",
                    "System.currentTimeMillis() and nextId(), " + LEAFMINT),
            new Subject("number", "leafmint", "leafmint", "series.next().number(), " + LEAFMINT),
            new Subject("cosidNumber", "CosId, grouped", "peer", COSID_GROUPED));
    private static final List<Subject> SERIES_TEXTS = List.of(
            AN_ID,
            new Subject("text", "leafmint", "leafmint", "series.next().text(), " + NumberBenchmark.ORDER),
            RANDOM_UUID,
            new Subject(
                    "cosidText",
                    "CosId, grouped",
                    "peer",
                    COSID_GROUPED + ", GroupedPrefixIdConverter over ToStringIdConverter, 9 digits"));
    private static final List<Subject> FORMATTED = List.of(
            AN_ID,
            new Subject("formattedInvoice", "leafmint", "leafmint", "format(NumberParts), " + NumberBenchmark.INVOICE),
            new Subject("formatted", "leafmint, {number}", "leafmint", "format(long), {number}"),
            RANDOM_UUID);

    private static final List<Subject> PUBLIC_IDS = List.of(
            AN_ID,
            new Subject("encoded", "leafmint, encode", "leafmint", "encode(long), one key"),
            new Subject("decoded", "leafmint, decode", "leafmint", "decode(String), one key"),
            new Subject("typedText", "leafmint, text of a typed id", "leafmint", "TypedIds.text(OrderId), one key"),
            new Subject("typedParse", "leafmint, typed id of a text", "leafmint", "TypedIds.parse(OrderId), one key"),
            new Subject("encodedBatch", "leafmint, encodeAll", "leafmint", "encodeAll(long[1000]), one key"),
            new Subject("decodedBatch", "leafmint, decodeAll", "leafmint", "decodeAll(String[1000]), one key"),
            RANDOM_UUID);

    static final List<Comparison> ALL = List.of(
            segments(1),
            segments(2),
            segments(8),
            new Comparison(
                    "segment id, 99.99th percentile", SegmentBenchmark.class, 8, List.of(), SEGMENTS, Figure.SLOWEST),
            new Comparison(
                    "segment id, heap of 256 MiB",
                    SegmentBenchmark.class,
                    1,
                    List.of("-Xms256m", "-Xmx256m"),
                    List.of(COUNTER, STRICT),
                    Figure.MEAN),
            new Comparison("segment ids in batches of 1000", BatchBenchmark.class, 1, List.of(), BATCHES, Figure.MEAN),
            numbers("number of a series", NUMBERS),
            numbers("text of a series", SERIES_TEXTS),
            numbers("formatted number", FORMATTED),
            numbers("public id", PUBLIC_IDS),
            snowflakes(1),
            snowflakes(2),
            snowflakes(8));

    /** What is measured on a JDK other than the first: one and two threads, without most peers. */
    static final List<Comparison> BRIEF = List.of(
            segments(1).brief(),
            segments(2).brief(),
            numbers("number of a series", NUMBERS),
            numbers("text of a series", SERIES_TEXTS),
            numbers("formatted number", FORMATTED),
            numbers("public id", PUBLIC_IDS),
            numbers("public id", PUBLIC_IDS),
            snowflakes(1).brief(),
            snowflakes(2).brief());

    private static Comparison segments(int threads) {
        return new Comparison("segment id", SegmentBenchmark.class, threads, List.of(), SEGMENTS, Figure.MEAN);
    }

    private static Comparison numbers(String group, List<Subject> subjects) {
        return new Comparison(group, NumberBenchmark.class, 1, List.of(), subjects, Figure.MEAN);
    }

    private static Comparison snowflakes(int threads) {
        return new Comparison("snowflake", SnowflakeBenchmark.class, threads, List.of(), SNOWFLAKES, Figure.MEAN);
    }

    private Comparison brief() {
        var kept = subjects.stream().filter(Subject::runsOnEveryJdk).toList();
        return new Comparison(group, benchmarks, threads, jvmArguments, kept, figure);
    }

    String include(Subject subject) {
        return "^" + benchmarks.getName().replace(".", "\\.") + "\\." + subject.method() + "$";
    }
}
