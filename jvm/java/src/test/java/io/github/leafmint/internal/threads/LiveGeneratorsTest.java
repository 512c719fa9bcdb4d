package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.JavaProcess;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SilentServer;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.status.SnowflakeStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each test waits for JVMs of its own, so they run at the same time. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class LiveGeneratorsTest {
    /** Exits with an open generator and threads that mint or wait. */
    static final class MintAndExit {
        public static void main(String[] arguments) {
            Tag order = SegmentGenerator.open(arguments[0]).tag("order");
            System.out.println(order.tryNextId().isPresent());
            for (int thread = 0; thread < 4; thread++) {
                var minting = new Thread(() -> {
                    while (true) {
                        order.nextId();
                    }
                });
                minting.setUncaughtExceptionHandler((which, failure) -> {});
                minting.setDaemon(true);
                minting.start();
            }
        }
    }

    /** Takes one id and exits without a close. */
    static final class MintOne {
        public static void main(String[] arguments) {
            System.out.println(SegmentGenerator.open(arguments[0]).tag("order").nextId());
        }
    }

    /** Waits for an id, does what is done at exit, and prints the natives that still run after at most 10 s. */
    static final class WaitAndClose {
        public static void main(String[] arguments) throws InterruptedException {
            SnowflakeGenerator.open(arguments[0]).nextId();
            LiveGenerators.closeAll();
            List<StackTraceElement> natives = natives();
            for (int round = 0; round < 1_000 && !natives.isEmpty(); round++) {
                Thread.sleep(10);
                natives = natives();
            }
            System.out.print(natives);
        }

        private static List<StackTraceElement> natives() {
            var natives = new ArrayList<StackTraceElement>();
            for (StackTraceElement[] frames : Thread.getAllStackTraces().values()) {
                if (frames.length > 0 && frames[0].getClassName().equals(Native.class.getName())) {
                    natives.add(frames[0]);
                }
            }
            return natives;
        }
    }

    /** Prints how far ids are ahead of the clock, and exits without a close. */
    static final class MintSnowflakes {
        public static void main(String[] arguments) {
            var flakes = SnowflakeGenerator.builder(arguments[0])
                    .leaseDuration(Duration.ofSeconds(100))
                    .open();
            flakes.nextId();
            SnowflakeStats stats = flakes.stats();
            System.out.println(stats.workerId() + " " + stats.clockLead().toSeconds() / 10);
            for (int thread = 0; thread < Integer.parseInt(arguments[1]); thread++) {
                var minting = new Thread(() -> {
                    while (true) {
                        flakes.nextIds(10_000);
                    }
                });
                minting.setUncaughtExceptionHandler((which, failure) -> {});
                minting.setDaemon(true);
                minting.start();
            }
        }
    }

    @Test
    void aWorkerIdThatIsHeldAtTheExitIsReleasedWithItsReservedTime(@TempDir Path directory) throws Exception {
        for (String threads : List.of("0", "4", "0")) {
            var java = JavaProcess.run(
                    List.of(),
                    MintSnowflakes.class,
                    "fixed:7?state_dir=" + directory + "&namespace=" + directory.getFileName(),
                    threads);
            assertEquals("7 0\n", java.output());
            assertEquals(0, java.status());
        }
    }

    @Test
    void aGeneratorThatIsOpenAtTheExitGivesItsIdsBack(@TempDir Path directory) throws Exception {
        String store = "sqlite:///" + directory.resolve("ids.db");
        assertEquals("1\n", JavaProcess.run(List.of(), MintOne.class, store).output());
        assertEquals("2\n", JavaProcess.run(List.of(), MintOne.class, store).output());
    }

    @Test
    void withoutCloseAtExitNoIdIsGivenBack(@TempDir Path directory) throws Exception {
        String store = "sqlite:///" + directory.resolve("ids.db") + "?close_at_exit=false";
        assertEquals("1\n", JavaProcess.run(List.of(), MintOne.class, store).output());
        assertEquals("1001\n", JavaProcess.run(List.of(), MintOne.class, store).output());
    }

    @Test
    void withoutCloseAtExitTheTimeStaysReserved(@TempDir Path directory) throws Exception {
        String holder = "fixed:7?close_at_exit=false&state_dir=" + directory + "&namespace=" + directory.getFileName();
        assertEquals(
                "7 0\n",
                JavaProcess.run(List.of(), MintSnowflakes.class, holder, "0").output());
        var next = JavaProcess.run(List.of(), MintSnowflakes.class, holder + "&timeout=300ms", "0");
        assertNotEquals("7 0\n", next.output());
    }

    /** A JVM waits 300 ms for threads that are in a native. */
    @Test
    void theExitWaitsForNoThreadOfLeafmint(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(List.of(), WaitAndClose.class, "local:" + directory);
        assertEquals("[]", java.output());
    }

    @Test
    void theExitIsPromptWhileThreadsMint(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(List.of(), MintAndExit.class, "sqlite:///" + directory.resolve("ids.db"));
        assertEquals(0, java.status(), java.output());
    }

    @Test
    void theExitIsPromptWhileTheStoreDoesNotAnswer() throws Exception {
        try (var server = new SilentServer()) {
            long began = System.nanoTime();
            var java = JavaProcess.run(List.of(), MintAndExit.class, server.url() + "?timeout=50s");
            assertEquals(0, java.status(), java.output());
            assertTrue(System.nanoTime() - began < 30_000_000_000L);
        }
    }
}
