package io.github.leafmint.bench;

import java.util.List;

/**
 * Benchmarks of one class that are compared with the first of them.
 *
 * @param title what is compared
 * @param benchmarks the class
 * @param threads the number of threads
 * @param jvmArguments the options of the forked JVM
 * @param subjects what is compared; the first is the baseline
 */
record Comparison(String title, Class<?> benchmarks, int threads, List<String> jvmArguments, List<Subject> subjects) {
    /**
     * One benchmark.
     *
     * @param method its method
     * @param configuration a description of its configuration
     * @param goal the highest ratio to the time of the baseline; 0 for no goal
     */
    record Subject(String method, String configuration, double goal) {}

    private static final Subject COUNTER = new Subject("atomicLong", "AtomicLong.getAndIncrement()", 0);
    private static final String LEAFMINT = "memory:, step 1000 and growing by leafmint's own policy";
    private static final Subject CHAIN = new Subject(
            "cosidSegmentChain",
            "CosId 2.13.3 SegmentChainId over IdSegmentDistributor.Atomic, step 1000000, default prefetch",
            0);

    static final List<Comparison> ALL = List.of(
            segments("nextId, 1 thread", 1, List.of(), 1.15, true),
            segments("nextId, 2 threads", 2, List.of(), 1.5, true),
            new Comparison(
                    "nextId, relaxed order, 2 threads on one tag",
                    SegmentBenchmark.class,
                    2,
                    List.of(),
                    List.of(COUNTER, new Subject("leafmintRelaxed", "Order.RELAXED, " + LEAFMINT, 0.25))),
            segments(
                    "nextId, 1 thread, -Xms256m -Xmx256m instead of the default heap",
                    1,
                    List.of("-Xms256m", "-Xmx256m"),
                    1.15,
                    false),
            new Comparison(
                    "batches of 1000, time per id",
                    BatchBenchmark.class,
                    1,
                    List.of(),
                    List.of(
                            COUNTER,
                            new Subject("leafmintIntoArray", "nextIds(long[]), " + LEAFMINT, 0.15),
                            new Subject("leafmintNewArray", "nextIds(1000), " + LEAFMINT, 0),
                            new Subject("leafmintRange", "nextRange(1000), " + LEAFMINT, 0))),
            new Comparison(
                    "snowflake nextId, 1 thread, not saturated",
                    SnowflakeBenchmark.class,
                    1,
                    List.of(),
                    List.of(
                            new Subject("currentTimeMillis", "System.currentTimeMillis()", 0),
                            new Subject("leafmint", "local:, " + SnowflakeBenchmark.LAYOUT, 1.6),
                            new Subject("cosidSnowflake", "CosId 2.13.3 MillisecondSnowflakeId, 41/2/20 bits", 0),
                            new Subject(
                                    "hutoolSnowflake",
                                    "Hutool 5.8.44 Snowflake, 12 sequence bits and no other: saturated",
                                    0),
                            new Subject(
                                    "tsidCreator",
                                    "tsid-creator 5.2.6, 2 node bits, 20 that count, SplittableRandom",
                                    0))));

    private static Comparison segments(
            String title, int threads, List<String> jvmArguments, double goal, boolean peers) {
        var leafmint = new Subject("leafmint", LEAFMINT, goal);
        var subjects = peers ? List.of(COUNTER, leafmint, CHAIN) : List.of(COUNTER, leafmint);
        return new Comparison(title, SegmentBenchmark.class, threads, jvmArguments, subjects);
    }

    String include(Subject subject) {
        return "^" + benchmarks.getName().replace(".", "\\.") + "\\." + subject.method() + "$";
    }
}
