package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.results.Results;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TagTest {
    @Test
    void everyMethodTakesTheNextIds() {
        try (var ids = SegmentGenerator.open("memory://methods")) {
            Tag order = ids.tag("order");
            assertEquals(1, order.nextId());
            assertEquals(2, order.nextId(Duration.ofSeconds(1)));
            assertEquals(OptionalLong.of(3), order.tryNextId());
            assertArrayEquals(new long[] {4, 5, 6}, order.nextIds(3));
            assertArrayEquals(new long[] {7, 8}, order.nextIds(2, Duration.ofSeconds(1)));
            assertEquals(new Results.LongRange(9, 12), order.nextRange(3));
            assertEquals(new Results.LongRange(12, 13), order.nextRange(1, Duration.ofSeconds(1)));
            LongSupplier supplier = order;
            assertEquals(13, supplier.getAsLong());
            assertArrayEquals(
                    new long[] {14, 15}, LongStream.generate(order).limit(2).toArray());
        }
    }

    @Test
    void aTagThatWasForgottenAndIsResolvedAgainGoesOnWithoutAGap() throws Exception {
        try (var ids = SegmentGenerator.open("memory://resolved-again")) {
            for (long id = 1; id <= 5; id++) {
                var tag = new WeakReference<>(ids.tag("order"));
                assertEquals(id, ids.tag("order").nextId());
                while (tag.get() != null) {
                    System.gc();
                    Thread.sleep(5);
                }
            }
        }
    }

    @Test
    void anArrayIsFilledInFullOrInPart() {
        try (var ids = SegmentGenerator.open("memory://fill")) {
            Tag order = ids.tag("order");
            var into = new long[5];
            order.nextIds(into);
            assertArrayEquals(new long[] {1, 2, 3, 4, 5}, into);
            order.nextIds(into, 1, 3);
            assertArrayEquals(new long[] {1, 6, 7, 8, 5}, into);
            order.nextIds(into, 4, 1);
            assertEquals(9, into[4]);
        }
    }

    @Test
    void aLargeArrayIsFilledAcrossItsSegmentsAndSoftLimits() {
        try (var ids = SegmentGenerator.builder("memory://fill-large")
                .defaultStep(1000)
                .open()) {
            Tag order = ids.tag("order");
            long next = 1;
            for (int length : new int[] {1, 511, 512, 513, 1023, 1500, 40_000, 1 << 20}) {
                var into = new long[length + 2];
                order.nextIds(into, 1, length);
                assertEquals(0, into[0]);
                assertEquals(0, into[length + 1]);
                for (int at = 1; at <= length; at++) {
                    assertEquals(next++, into[at]);
                }
            }
        }
    }

    @Test
    void tryNextIdIsEmptyUntilTheFirstSegmentHasLanded() throws Exception {
        try (var ids = SegmentGenerator.open("memory://try")) {
            Tag order = ids.tag("order");
            OptionalLong id = order.tryNextId();
            while (id.isEmpty()) {
                Thread.sleep(1);
                id = order.tryNextId();
            }
            assertEquals(OptionalLong.of(1), id);
        }
    }

    @Test
    void theLargestBatchSucceeds() {
        try (var ids = SegmentGenerator.open("memory://largest")) {
            assertEquals(1 << 20, ids.tag("order").nextIds(1 << 20).length);
            assertEquals(1 << 20, ids.tag("order").nextRange(1 << 20).size());
            long[] millions = ids.tag("order").nextIds(3_000_000);
            assertEquals(3_000_000, millions.length);
            assertTrue(IntStream.range(1, millions.length).allMatch(at -> millions[at - 1] < millions[at]));
            assertEquals(1L << 30, ids.tag("order").nextRange(1L << 30).size());
        }
    }

    @Test
    void eightThreadsGetDistinctIdsThatIncreaseInEachThread(@TempDir Path directory) throws Exception {
        int threads = 8;
        int each = 50_000;
        var drawn = new long[threads][each];
        try (var ids = SegmentGenerator.builder("sqlite:///" + directory.resolve("ids.db"))
                .defaultStep(100)
                .open()) {
            Tag order = ids.tag("order");
            var minting = new Minting();
            for (long[] mine : drawn) {
                minting.start(() -> {
                    for (int at = 0; at < each; at++) {
                        mine[at] = order.nextId();
                        assertTrue(at == 0 || mine[at] > mine[at - 1]);
                    }
                });
            }
            minting.join();
        }
        assertEquals(
                threads * each,
                Arrays.stream(drawn).flatMapToLong(Arrays::stream).distinct().count());
    }

    @Test
    void aTagKeepsItsGeneratorAlive() throws Exception {
        Tag order = SegmentGenerator.open("memory://alive").tag("order");
        for (int round = 0; round < 20; round++) {
            System.gc();
            Thread.sleep(5);
            order.nextId();
        }
        assertEquals(21, order.nextId());
    }

    @Test
    void aCallEndsWithTheTimeout() throws Exception {
        try (var server = new SilentServer();
                var ids = SegmentGenerator.builder(server.url())
                        .connectTimeout(Duration.ofMillis(100))
                        .timeout(Duration.ofSeconds(59))
                        .open()) {
            Tag order = ids.tag("order");
            long began = System.nanoTime();
            var failure = assertThrows(SegmentUnavailableException.class, () -> order.nextId(Duration.ofMillis(150)));
            assertTrue(System.nanoTime() - began < 30_000_000_000L);
            assertTrue(failure.retryable());
            assertEquals(OptionalLong.empty(), order.tryNextId());
            assertThrows(SegmentUnavailableException.class, () -> order.nextIds(5, Duration.ZERO));
            assertThrows(SegmentUnavailableException.class, () -> order.nextRange(5, Duration.ZERO));
            assertTrue(ids.stats().tags().get("order").waits() > 0);
        }
    }

    @Test
    void anInterruptedThreadStillGetsIdsInHand() {
        try (var ids = SegmentGenerator.open("memory://in-hand")) {
            Tag order = ids.tag("order");
            order.nextId();
            Thread.currentThread().interrupt();
            try {
                assertEquals(2, order.nextId());
                assertEquals(3, order.nextIds(1)[0]);
            } finally {
                assertTrue(Thread.interrupted());
            }
        }
    }

    @Test
    void aPanicBecomesAnExceptionAndTheProcessLives() {
        NativeLibrary.require();
        long generator = Native.segmentOpen("memory://panic", new String[0], new long[0], 0);
        long order = Native.segmentTag(generator, "order", 0, false);
        var failure = assertThrows(IllegalStateException.class, () -> Native.tagTake(order, 0, 99, 1, 1.0));
        assertTrue(failure.getMessage().contains("cannot want number 99"), failure.getMessage());
        assertEquals(Native.NOT_YET, Native.tagNextIdCold(order, 0, 0));
        Native.tagFree(order);
        Native.segmentFree(generator, 0);
    }
}
