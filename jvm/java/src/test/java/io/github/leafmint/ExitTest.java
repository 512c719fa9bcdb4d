package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ExitTest {
    /** Leaves a generator open at the exit, with threads that mint or wait. */
    static final class MintAndExit {
        public static void main(String[] arguments) {
            BizTag order = SegmentGenerator.open(arguments[0]).bizTag("order");
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

    /** Takes one id and leaves the rest to the exit. */
    static final class MintOne {
        public static void main(String[] arguments) {
            System.out.println(SegmentGenerator.open(arguments[0]).bizTag("order").nextId());
        }
    }

    @Test
    void whatIsLiveAtTheExitGivesItsIdsBack(@TempDir Path directory) throws Exception {
        String store = "sqlite:///" + directory.resolve("ids.db");
        assertEquals("1\n", JavaProcess.run(List.of(), MintOne.class, store).output());
        assertEquals("2\n", JavaProcess.run(List.of(), MintOne.class, store).output());
    }

    @Test
    void theExitIsPromptWhileThreadsMint(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(List.of(), MintAndExit.class, "sqlite:///" + directory.resolve("ids.db"));
        assertEquals(0, java.status(), java.output());
    }

    @Test
    void theExitIsPromptWhileTheStoreIsSilent() throws Exception {
        try (var server = new SilentServer()) {
            long began = System.nanoTime();
            var java = JavaProcess.run(List.of(), MintAndExit.class, server.url());
            assertEquals(0, java.status(), java.output());
            assertTrue(System.nanoTime() - began < 5_000_000_000L);
        }
    }
}
