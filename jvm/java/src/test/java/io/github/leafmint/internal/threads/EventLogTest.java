package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.leafmint.JavaProcess;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.PrintingLogs;
import io.github.leafmint.Rounds;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentUnavailableException;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.Vectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each test waits for a JVM of its own, so they run at the same time. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class EventLogTest {
    private static final String SENTINEL = "s3ntinel";
    private static final String UNREACHABLE = "mysql://root:" + SENTINEL + "@127.0.0.1:1/leafmint";
    private static final Pattern LINE = Pattern.compile("(\\w+) io\\.github\\.leafmint (\\w+) \\2: (.*)");

    /** Lets refills and the claim of a worker id fail. */
    static final class Fails {
        public static void main(String[] arguments) throws Exception {
            SegmentGenerator ids = SegmentGenerator.open(arguments[0]);
            for (int call = 0; call < 5; call++) {
                failToRefill(ids);
            }
            var flakes =
                    SnowflakeGenerator.builder(arguments[0]).stateFiles(false).open();
            assertThrows(LeafmintException.class, () -> flakes.nextId(Duration.ofMillis(200)));
            while (ids.tag("order").stats().lastError() == null
                    || flakes.stats().lastError() == null) {
                Thread.sleep(10);
            }
            Thread.sleep(1500);
            System.out.println("slept");
        }
    }

    /** Opens and closes generators, and prints when the thread runs. */
    static final class OpensAndCloses {
        public static void main(String[] arguments) throws Exception {
            System.out.println(reader() == null);
            try (var ids = SegmentGenerator.open(arguments[0]);
                    var more = SegmentGenerator.open("memory:")) {
                System.out.println(reader().isDaemon());
                more.close();
                Thread.sleep(200);
                System.out.println(reader() != null);
            }
            endOfReader();
            letGo();
            System.out.println(reader() != null);
            System.gc();
            endOfReader();
            System.out.println("ended");
        }

        private static void letGo() {
            SegmentGenerator.open("memory:").tag("order");
        }

        private static void endOfReader() throws InterruptedException {
            for (int turn = 0; reader() != null; turn++) {
                if (turn == 1000) {
                    throw new AssertionError("the thread goes on");
                }
                System.gc();
                Thread.sleep(10);
            }
        }
    }

    /** Prints when each close returned. */
    static final class ClosesOften {
        public static void main(String[] arguments) {
            for (int turn = 0; turn < 10; turn++) {
                // Of one file only the first events are logged, and at most 32 in a moment.
                SegmentGenerator ids = SegmentGenerator.open("sqlite:///" + arguments[0] + "/" + turn + ".db");
                long began = System.nanoTime();
                ids.close();
                // A close waits half a second for a logger, which is not enough on a machine that is very busy.
                System.out.println(System.nanoTime() - began < 400_000_000 ? "returned" : "was slow");
            }
        }
    }

    /** Causes an event only when the process ends. */
    static final class FailsAtTheEnd {
        public static void main(String[] arguments) throws Exception {
            SnowflakeGenerator flakes = SnowflakeGenerator.builder("local:" + arguments[0] + "?workers=3")
                    .heartbeat(Duration.ofMinutes(1))
                    .leaseDuration(Duration.ofMinutes(3))
                    .open();
            flakes.nextId();
            // The first heartbeat is sent at once, the second one never.
            Thread.sleep(2000);
            Files.delete(Path.of(arguments[0], "default", "3.lock"));
        }
    }

    /** Ends while threads cause events. */
    static final class EndsInTheMiddle {
        public static void main(String[] arguments) throws Exception {
            var ids = SegmentGenerator.open(arguments[0]);
            for (int thread = 0; thread < 4; thread++) {
                String prefix = "tag-" + thread + "-";
                var failing = new Thread(() -> {
                    for (long number = 0; ; number++) {
                        failToRefill(ids, prefix + number);
                    }
                });
                failing.setUncaughtExceptionHandler((which, failure) -> {});
                failing.setDaemon(true);
                failing.start();
            }
            Thread.sleep(Long.parseLong(arguments[1]));
        }
    }

    /** Fills the memory while events are logged, and causes another event later. */
    static final class RunsOutOfMemory {
        private static Object[] held;

        public static void main(String[] arguments) throws Exception {
            SegmentGenerator ids = SegmentGenerator.open(arguments[0]);
            Tag order = ids.tag("order");
            order.tryNextId(); // its refill fails again and again in the background
            // Loads what it takes: a class whose initialisation runs out of memory cannot be used any more.
            boolean isThere = reader() != null;
            for (int time = 0; time < 20; time++) {
                fillMemory();
                held = null;
                Thread.sleep(20);
            }
            System.out.println(isThere && reader() != null ? "goes on" : "ended");
        }

        private static void fillMemory() throws InterruptedException {
            for (int size = 1 << 20; size > 0; size /= 2) {
                try {
                    while (true) {
                        held = new Object[] {held, new byte[size]};
                    }
                } catch (OutOfMemoryError full) {
                    // A smaller piece may still fit.
                }
            }
            Thread.sleep(100);
        }
    }

    private static void failToRefill(SegmentGenerator ids) {
        failToRefill(ids, "order");
    }

    private static void failToRefill(SegmentGenerator ids, String tag) {
        Tag order = ids.tag(tag);
        assertThrows(SegmentUnavailableException.class, () -> order.nextId(Duration.ofMillis(20)));
    }

    private static Thread reader() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leafmint-events"))
                .findAny()
                .orElse(null);
    }

    private static List<Matcher> logged(String output) {
        var lines = new ArrayList<Matcher>();
        output.lines().map(LINE::matcher).filter(Matcher::matches).forEach(lines::add);
        return lines;
    }

    private static List<String> names(String output) {
        return logged(output).stream().map(line -> line.group(2)).toList();
    }

    @Test
    void anOutageIsLoggedOnceWithItsNameAndWithoutCredentials() throws Exception {
        var java = JavaProcess.run(List.of(PrintingLogs.ON), Fails.class, UNREACHABLE);
        assertEquals(0, java.status(), java.output());
        assertFalse(java.output().contains(SENTINEL), java.output());
        var levels = new TreeMap<String, String>();
        String page = Files.readString(Vectors.top().resolve("docs/reference/events.md"));
        Matcher row = Pattern.compile("\n\\| `(\\w+)` \\| (\\w+) ").matcher(page);
        while (row.find()) {
            levels.put(row.group(1), row.group(2));
        }
        for (Matcher line : logged(java.output())) {
            assertEquals(levels.get(line.group(2)), line.group(1).toLowerCase(), line.group());
        }
        String whileItRan = java.output().substring(0, java.output().indexOf("slept"));
        assertEquals(
                List.of("generator_opened", "generator_opened", "lease_failed", "refill_failed"),
                names(whileItRan).stream().sorted().toList());
    }

    @Test
    void theThreadRunsOnlyWhileAGeneratorIsOpen(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("ids.db");
        var java = JavaProcess.run(List.of(PrintingLogs.ON), OpensAndCloses.class, "sqlite:///" + file);
        assertEquals(0, java.status(), java.output());
        assertEquals(
                List.of("generator_opened", "generator_opened", "generator_closed", "generator_closed"),
                names(java.output()));
        assertTrue(java.output().contains(file.toString()), java.output());
        String rest = LINE.matcher(java.output())
                .replaceAll("")
                .lines()
                .filter(line -> !line.isEmpty())
                .toList()
                .toString();
        assertEquals("[true, true, true, true, ended]", rest);
    }

    @Test
    void aCloseIsLoggedWhenItReturns(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(List.of(PrintingLogs.ON), ClosesOften.class, directory.toString());
        assertEquals(0, java.status(), java.output());
        int closed = 0;
        int returned = 0;
        int closes = 0;
        for (String line : java.output().lines().toList()) {
            closed += line.contains("generator_closed") ? 1 : 0;
            returned += line.equals("returned") ? 1 : 0;
            closes += line.equals("returned") || line.equals("was slow") ? 1 : 0;
            assertTrue(closes <= closed || !line.equals("returned"), java.output());
        }
        assertEquals(10, closes);
        assertTrue(returned > 0, "each close waited for its whole half second");
    }

    @Test
    void theLastEventsAreLoggedBeforeTheJvmEnds(@TempDir Path directory) throws Exception {
        var missing = new ArrayList<String>();
        // A JVM that ends waits half a second for its loggers, which a machine that is very busy may exceed.
        while (missing.size() < 5) {
            Path own = Files.createDirectory(directory.resolve(String.valueOf(missing.size())));
            var java = JavaProcess.run(List.of(PrintingLogs.ON), FailsAtTheEnd.class, own.toString());
            assertEquals(0, java.status(), java.output());
            if (names(java.output()).contains("release_failed")) {
                return;
            }
            missing.add(java.output());
        }
        fail(missing.toString());
    }

    @Test
    void anExceptionOfALoggerEndsNothing() throws Exception {
        var java = JavaProcess.run(List.of(PrintingLogs.ON, PrintingLogs.FAILURES + 1), Fails.class, UNREACHABLE);
        assertEquals(0, java.status(), java.output());
        String whileItRan = java.output().substring(0, java.output().indexOf("slept"));
        assertEquals(
                List.of("generator_opened", "lease_failed", "refill_failed"),
                names(whileItRan).stream().sorted().toList());
    }

    @Test
    void theThreadGoesOnAfterTheMemoryRanOut() throws Exception {
        var java = JavaProcess.run(List.of("-Xmx16m", PrintingLogs.ON), RunsOutOfMemory.class, UNREACHABLE);
        assertTrue(java.output().lines().anyMatch("goes on"::equals), java.output());
        assertFalse(java.output().contains("in thread \"leafmint-"), java.output());
    }

    @Test
    @Timeout(60)
    void aLoggerThatHangsDoesNotDelayTheExit(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(
                List.of(PrintingLogs.ON, PrintingLogs.HANGS_IN + "release_failed"),
                FailsAtTheEnd.class,
                directory.toString());
        assertEquals(0, java.status(), java.output());
        assertFalse(names(java.output()).contains("release_failed"), java.output());
    }

    @Test
    void aJvmThatEndsAmongEventsEndsNormally() throws Exception {
        for (int turn = 0; turn < Rounds.of(4, 12); turn++) {
            var java = JavaProcess.run(
                    List.of(PrintingLogs.ON), EndsInTheMiddle.class, UNREACHABLE, String.valueOf(turn * 13 % 60));
            assertEquals(0, java.status(), java.output());
            assertFalse(java.output().contains("fatal"), java.output());
        }
    }

    @Test
    void withoutSlf4jEventsGoToTheSystemLogger() throws Exception {
        String path = System.getProperty("java.class.path");
        var without = new ArrayList<>(List.of(path.split(":")));
        assertTrue(without.removeIf(entry -> entry.contains("slf4j")), path);
        var java = JavaProcess.run(List.of("-cp", String.join(":", without)), Fails.class, UNREACHABLE);
        assertNotEquals("", java.output());
        assertTrue(java.output().contains("refill_failed: "), java.output());
    }
}
