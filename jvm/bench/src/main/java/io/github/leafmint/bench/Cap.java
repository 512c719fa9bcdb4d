package io.github.leafmint.bench;

import io.github.leafmint.SnowflakeGenerator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how close a snowflake generator comes to the 4096 ids per millisecond of its layout, over seconds.
 *
 * <p>{@code java -cp benchmarks.jar io.github.leafmint.bench.Cap FILE [SECONDS]} writes the figures to FILE, as JSON.
 */
public final class Cap {
    private Cap() {}

    public static void main(String[] arguments) throws Exception {
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 4;
        var lines = new ArrayList<String>();
        try (var flakes = SnowflakeGenerator.open("local:///" + Files.createTempDirectory("leafmint-bench"))) {
            flakes.nextId();
            mint(flakes, 1, Math.min(seconds, 1)); // warm-up
            for (int threads : new int[] {1, 2, 8}) {
                List<Long> counts = mint(flakes, threads, seconds);
                long total = counts.stream().mapToLong(Long::longValue).sum();
                double share = 100.0 * Collections.min(counts) / total;
                lines.add(String.format(
                        Locale.ROOT,
                        "  {\"threads\": %d, \"rate\": %.1f, \"share\": %.2f, \"seconds\": %.1f}",
                        threads,
                        total / seconds / 1e3,
                        share,
                        seconds));
            }
        }
        Files.writeString(Path.of(arguments[0]), "[\n" + String.join(",\n", lines) + "\n]\n");
    }

    /** Returns the number of ids that each thread minted in {@code seconds}. */
    private static List<Long> mint(SnowflakeGenerator flakes, int threads, double seconds)
            throws InterruptedException, ExecutionException {
        var start = new CyclicBarrier(threads);
        Callable<Long> one = () -> {
            start.await();
            long until = System.nanoTime() + (long) (seconds * 1e9);
            long count = 0;
            while (System.nanoTime() < until) {
                flakes.nextId();
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
