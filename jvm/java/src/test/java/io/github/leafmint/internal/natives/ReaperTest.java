package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.JavaProcess;
import io.github.leafmint.Layout;
import io.github.leafmint.Rounds;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A generator that is never closed is freed after it has become unreachable. */
@Timeout(300)
class ReaperTest {
    /** Opens generators without closing them, and prints which descriptors, threads and memory remain. */
    static final class Lose {
        private static final Duration LONG = Duration.ofSeconds(30);

        public static void main(String[] arguments) throws Exception {
            var segments = new HashSet<Long>();
            var snowflakes = new HashSet<Long>();
            int few = Integer.parseInt(arguments[2]);
            lose(few, arguments, segments, snowflakes);
            Thread.sleep(1000);
            long[] before = settled(held());
            lose(2 * few, arguments, segments, snowflakes);
            long[] after = settled(before);
            System.out.println("descriptors " + Math.max(0, after[0] - before[0]));
            // The background threads start and end as needed; so do those of the JVM.
            System.out.println("threads " + Math.max(0, after[1] - before[1] - 8));
            System.out.println("less than 64 MB more: " + (after[2] - before[2] < 65_536));
            System.out.println(segments.size() + " " + snowflakes.size());
        }

        private static void lose(int count, String[] arguments, HashSet<Long> segments, HashSet<Long> snowflakes) {
            for (int turn = 0; turn < count; turn++) {
                segments.add(SegmentGenerator.open(arguments[0]).tag("order").nextId(LONG));
                snowflakes.add(SnowflakeGenerator.open(arguments[1]).nextId(LONG));
                if (turn % 20 == 0) {
                    System.gc();
                }
            }
        }

        private static long[] held() throws IOException {
            String status = Files.readString(Path.of("/proc/self/status"));
            String resident = status.split("VmRSS:")[1].trim().split(" ")[0];
            return new long[] {count("/proc/self/fd"), count("/proc/self/task"), Long.parseLong(resident)};
        }

        private static long count(String directory) throws IOException {
            try (Stream<Path> entries = Files.list(Path.of(directory))) {
                return entries.count();
            }
        }

        private static long[] settled(long[] few) throws Exception {
            long deadline = System.nanoTime() + 30_000_000_000L;
            long[] now;
            do {
                System.gc();
                Thread.sleep(100);
                now = held();
            } while ((now[0] > few[0] || now[1] > few[1]) && System.nanoTime() < deadline);
            return now;
        }
    }

    @Test
    void unreachableGeneratorsLeaveNothingBehind(@TempDir Path directory) throws Exception {
        String segments = "sqlite:///" + directory.resolve("ids.db");
        String holder = "local:" + directory.resolve("workers");
        int few = Rounds.of(60, 200);
        var java = JavaProcess.run(List.of("-Xmx64m"), Lose.class, segments, holder, String.valueOf(few));
        assertEquals(
                "descriptors 0\nthreads 0\nless than 64 MB more: true\n" + 3 * few + " " + 3 * few + "\n",
                java.output());
    }

    /** Closes its last generator again and again, while another thread frees what became unreachable. */
    static final class FreeMeanwhile {
        public static void main(String[] arguments) throws Exception {
            var other = new Thread(() -> {
                while (!Thread.interrupted()) {
                    Layout.of("leaf");
                }
            });
            other.start();
            for (int turn = 0; turn < Integer.parseInt(arguments[0]); turn++) {
                SegmentGenerator.open("memory://").close();
            }
            other.interrupt();
            other.join();
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (isRunning() && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            System.out.println(isRunning() ? "goes on" : "ended");
        }

        private static boolean isRunning() {
            return Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("leafmint-reaper"));
        }
    }

    @Test
    void theThreadEndsWithTheLastGeneratorThoughAnotherThreadFreesMeanwhile() throws Exception {
        var java = JavaProcess.run(List.of("-Xmx64m"), FreeMeanwhile.class, String.valueOf(Rounds.of(2000, 20_000)));
        assertEquals("ended\n", java.output());
    }
}
