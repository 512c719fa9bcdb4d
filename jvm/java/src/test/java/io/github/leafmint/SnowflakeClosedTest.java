package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnowflakeClosedTest {
    @TempDir
    Path directory;

    @Test
    void aStartAfterACleanCloseDoesNotWait() {
        long last;
        try (var flakes = patient()) {
            last = flakes.nextId();
        }
        long began = System.nanoTime();
        try (var flakes = patient()) {
            assertTrue(flakes.nextId() > last);
            assertTrue(flakes.stats().clockLead().toMillis() < 1000);
        }
        assertTrue(System.nanoTime() - began < 20_000_000_000L);
    }

    private SnowflakeGenerator patient() {
        var seconds = Duration.ofSeconds(40);
        return Holders.fixed(directory, 7)
                .leaseDuration(seconds)
                .timeout(seconds)
                .open();
    }

    @Test
    void everyUseAfterCloseIsClosed() {
        var flakes = SnowflakeGenerator.open(Holders.local(directory));
        long id = flakes.nextId();
        flakes.close();
        flakes.close();
        List<Executable> uses = List.of(
                flakes::nextId,
                () -> flakes.nextId(Duration.ofSeconds(1)),
                flakes::tryNextId,
                () -> flakes.nextIds(2),
                () -> flakes.nextIds(2, Duration.ofSeconds(1)),
                flakes::getAsLong);
        for (Executable use : uses) {
            assertEquals("closed", assertThrows(ClosedException.class, use).code());
        }
        assertEquals(id, flakes.decode(id).id());
        assertDoesNotThrow(flakes::stats);
        assertDoesNotThrow(flakes::workerId);
        assertDoesNotThrow(flakes::toString);
    }

    @Test
    void closeBeforeTheFirstIdIsClosedToo() {
        var flakes = SnowflakeGenerator.open(Holders.local(directory));
        flakes.close();
        assertThrows(ClosedException.class, flakes::nextId);
    }

    @Test
    void closeEndsEightMintingThreads() throws Exception {
        for (int round = 0; round < 10; round++) {
            var flakes = SnowflakeGenerator.open(Holders.local(directory));
            var closed = new AtomicInteger();
            var minting = new Minting();
            for (int thread = 0; thread < 8; thread++) {
                boolean batches = thread % 2 == 0;
                minting.start(() -> {
                    assertThrows(ClosedException.class, () -> {
                        while (true) {
                            if (batches) {
                                flakes.nextIds(100);
                            } else {
                                flakes.nextId();
                            }
                        }
                    });
                    closed.incrementAndGet();
                });
            }
            Thread.sleep(20);
            flakes.close();
            minting.join();
            assertEquals(8, closed.get());
        }
    }

    @Test
    void closeIsNotCutShortByAnInterrupt() {
        var flakes = Holders.fixed(directory, 7).open();
        flakes.nextId();
        Thread.currentThread().interrupt();
        flakes.close();
        assertTrue(Thread.interrupted(), "the flag is kept");
        try (var later = Holders.fixed(directory, 7).eager(true).open()) {
            assertEquals(OptionalLong.of(7), later.workerId());
        }
    }
}
