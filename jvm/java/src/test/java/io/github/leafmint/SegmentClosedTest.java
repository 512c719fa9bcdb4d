package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(60)
class SegmentClosedTest {
    @Test
    void everyUseAfterCloseIsClosed() {
        var ids = SegmentGenerator.open("memory://closed");
        Tag order = ids.tag("order");
        Tag withGenes = ids.tag("gene", new TagOptions().geneBits(4));
        order.nextId();
        assertEquals(0, withGenes.nextIds(0).length);
        ids.close();
        ids.close();
        List<Executable> uses = List.of(
                order::nextId,
                () -> order.nextId(Duration.ofSeconds(1)),
                order::tryNextId,
                () -> order.nextIds(2),
                () -> order.nextIds(new long[2]),
                () -> order.nextIds(new long[2], 0, 1),
                () -> order.nextRange(2),
                () -> order.nextIds(0),
                () -> order.nextRange(0),
                () -> withGenes.nextIds(0),
                order::getAsLong,
                () -> ids.tag("order"),
                () -> ids.tag("item"),
                () -> ids.createTag("item").step(1).create(),
                ids::listTags,
                ids::listSeries,
                ids::listGapless,
                ids::check,
                () -> ids.setTag("item").step(5).apply(),
                () -> ids.raiseTagAbove("item", 5),
                ids::initSchema);
        for (Executable use : uses) {
            var failure = assertThrows(ClosedException.class, use);
            assertEquals("closed", failure.code());
            assertFalse(failure.retryable());
        }
        assertEquals(1, ids.stats().tags().get("order").issued());
        assertDoesNotThrow(ids::scope);
        assertDoesNotThrow(ids::toString);
        assertDoesNotThrow(order::toString);
    }

    @Test
    void closeEndsEightMintingThreads() throws Exception {
        for (int round = 0; round < 20; round++) {
            var ids =
                    SegmentGenerator.builder("memory://minting").defaultStep(10).open();
            Tag order = ids.tag("order");
            var closed = new AtomicInteger();
            var minting = new Minting();
            for (int thread = 0; thread < 8; thread++) {
                minting.start(() -> {
                    assertThrows(ClosedException.class, () -> {
                        while (true) {
                            order.nextId();
                        }
                    });
                    closed.incrementAndGet();
                });
            }
            Thread.sleep(5);
            ids.close();
            minting.join();
            assertEquals(8, closed.get());
        }
    }

    @Test
    void closeIsNotCutShortByAnInterrupt() {
        String store = "memory://close-interrupted";
        var ids = SegmentGenerator.open(store);
        ids.tag("order").nextId();
        Thread.currentThread().interrupt();
        ids.close();
        assertTrue(Thread.interrupted(), "the flag is kept");
        try (var later = SegmentGenerator.open(store)) {
            assertEquals(2, later.tag("order").nextId());
        }
    }
}
