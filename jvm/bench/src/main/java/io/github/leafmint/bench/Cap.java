package io.github.leafmint.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * Measures how close generators of snowflakes come to the 4096 ids per millisecond of 12 bits of sequence.
 *
 * <p>{@code java -cp benchmarks.jar io.github.leafmint.bench.Cap FILE ROUNDS MILLISECONDS [brief]} writes a line of
 * JSON per figure to FILE. In each round every generator mints with 1, 2 and 8 threads, for MILLISECONDS each time.
 */
public final class Cap {
    private static final int SEQUENCE_BITS = 12;
    private static final int[] THREADS = {1, 2, 8};
    private static final String RATE = "snowflake at the cap";
    private static final String SHARE = "snowflake at the cap, least thread's share";

    private Cap() {}

    private record Generator(String name, String role, String how, LongSupplier ids) {}

    private record Key(Generator generator, int threads) {}

    private record Rates(List<Double> rates, List<Double> shares) {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[1]);
        double seconds = Long.parseLong(arguments[2]) / 1e3;
        boolean brief = arguments.length > 3 && arguments[3].equals("brief");
        Map<Key, Rates> measured = new LinkedHashMap<>();
        try (var leafmint = new Snowflakes.Leafmint(SEQUENCE_BITS);
                var cached = new CachedUids(CachedUids.SEQUENCE_BITS, CachedUids.BOOST_POWER)) {
            List<Generator> generators = generators(leafmint, cached);
            generators = brief ? generators.subList(0, 1) : generators;
            round(generators, seconds, new LinkedHashMap<>()); // warm-up
            for (int round = 0; round < rounds; round++) {
                round(generators, seconds, measured);
            }
        }
        var lines = new ArrayList<String>();
        measured.forEach((key, values) -> {
            lines.add(json(RATE, key, "ids/ms", values.rates()));
            if (key.threads() > 1 && key.generator().role().equals("leafmint")) {
                lines.add(json(SHARE, key, "%", values.shares()));
            }
        });
        Files.write(Path.of(arguments[0]), lines);
    }

    private static void round(List<Generator> generators, double seconds, Map<Key, Rates> measured)
            throws InterruptedException, ExecutionException {
        for (Generator generator : generators) {
            for (int threads : THREADS) {
                long began = System.nanoTime();
                List<Long> counts = mint(generator.ids(), threads, seconds);
                double millis = (System.nanoTime() - began) / 1e6;
                double total = counts.stream().mapToLong(Long::longValue).sum();
                var to = measured.computeIfAbsent(
                        new Key(generator, threads), absent -> new Rates(new ArrayList<>(), new ArrayList<>()));
                to.rates().add(total / millis);
                to.shares().add(100 * Collections.min(counts) / total);
            }
        }
    }

    private static List<Generator> generators(Snowflakes.Leafmint leafmint, CachedUids cached) {
        var cosid = Snowflakes.cosid(SEQUENCE_BITS);
        var hutool = Snowflakes.hutool();
        var tsid = Snowflakes.tsid(SEQUENCE_BITS);
        var locked = new SynchronizedSnowflakes(Snowflakes.LOW_BITS - SEQUENCE_BITS, SEQUENCE_BITS);
        String layout = "local:, " + Snowflakes.layout(SEQUENCE_BITS);
        return List.of(
                new Generator("leafmint", "leafmint", "nextId(), " + layout, leafmint.generator::nextId),
                new Generator("CosId", "peer", "2.13.3, MillisecondSnowflakeId, 41/10/12 bits", cosid::generate),
                new Generator("Hutool", "peer", "5.8.44, Snowflake, 41/10/12 bits", hutool::nextId),
                new Generator(
                        "tsid-creator",
                        "peer",
                        "5.2.6, 10 node bits, counter of 12, which runs on ahead of the clock",
                        () -> tsid.create().toLong()),
                new Generator("uid-generator", "peer", CachedUids.HOW, cached::nextId),
                new Generator(
                        "Leaf's locks",
                        "peer",
                        "written for this comparison: a synchronized method, 41/10/12 bits",
                        locked::nextId));
    }

    private static String json(String group, Key key, String unit, List<Double> values) {
        Generator generator = key.generator();
        return new Measurement(group, key.threads(), generator.name(), generator.role(), unit, generator.how(), values)
                .json();
    }

    /** Returns the number of ids that each thread minted in {@code seconds}. */
    private static List<Long> mint(LongSupplier ids, int threads, double seconds)
            throws InterruptedException, ExecutionException {
        var start = new CyclicBarrier(threads);
        Callable<Long> one = () -> {
            start.await();
            long until = System.nanoTime() + (long) (seconds * 1e9);
            long count = 0;
            while (System.nanoTime() < until) {
                ids.getAsLong();
                count++;
            }
            return count;
        };
        var pool = Executors.newFixedThreadPool(threads);
        try {
            var counts = new ArrayList<Long>();
            for (Future<Long> thread : pool.invokeAll(Collections.nCopies(threads, one))) {
                counts.add(thread.get());
            }
            return counts;
        } finally {
            pool.shutdownNow();
        }
    }
}
