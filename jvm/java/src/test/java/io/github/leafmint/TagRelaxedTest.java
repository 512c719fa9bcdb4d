package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.status.TagStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags with relaxed order: each thread mints from its own block. */
@Timeout(60)
class TagRelaxedTest {
    private static final int THREADS = 8;

    /** Takes one or more ids with the method of that number. */
    private static long[] take(Tag tag, int way) {
        return switch (way) {
            case 0 -> tag.nextIds(5);
            case 1 -> tag.nextIds(300);
            case 2 -> tag.nextRange(20).stream().toArray();
            case 3 -> tag.tryNextId().stream().toArray();
            case 4 -> new long[] {tag.nextId(Duration.ofSeconds(5))};
            case 5 -> {
                var into = new long[3];
                tag.nextIds(into);
                yield into;
            }
            default -> new long[] {tag.nextId()};
        };
    }

    private static void mintUntilClosed(Tag tag, List<long[]> drawn) {
        try {
            for (int call = 0; ; call++) {
                drawn.add(take(tag, call % 20));
            }
        } catch (ClosedException end) {
            // The end of the test.
        }
    }

    private static void assertEachOnce(Stream<long[]> drawn) {
        long[] ids = drawn.flatMapToLong(Arrays::stream).sorted().toArray();
        assertTrue(ids.length > 0);
        for (int at = 1; at < ids.length; at++) {
            assertTrue(ids[at] > ids[at - 1], ids[at] + " was handed out twice");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 1000, 100_000})
    void idsIncreaseInEachThreadAndAreDistinctAcrossSwitchesAndACloseInTheMiddle(long step, @TempDir Path directory)
            throws Exception {
        String url = "sqlite:///" + directory.resolve("ids.db");
        var all = new ArrayList<List<long[]>>();
        for (int round = 0; round < Rounds.of(2, 4); round++) {
            var minting = new Minting();
            SegmentGenerator ids =
                    SegmentGenerator.builder(url).defaultStep(step).open();
            Tag tag = ids.tag("order", new TagOptions().order(IdOrder.RELAXED));
            for (int thread = 0; thread < THREADS; thread++) {
                var drawn = new ArrayList<long[]>();
                all.add(drawn);
                minting.start(() -> mintUntilClosed(tag, drawn));
            }
            do {
                Thread.sleep(30);
            } while (ids.stats().tags().get("order").issued() == 0);
            ids.close();
            minting.join();
            TagStats stats = ids.stats().tags().get("order");
            assertEquals(
                    stats.leased(),
                    stats.issued() + stats.unused() + stats.givenBack(),
                    "every number is accounted for");
        }
        for (List<long[]> drawn : all) {
            long last = -1;
            for (long id : drawn.stream().flatMapToLong(Arrays::stream).toArray()) {
                assertTrue(id > last, id + " after " + last);
                last = id;
            }
        }
        assertEachOnce(all.stream().flatMap(List::stream));
    }

    @Test
    void relaxedAndStrictTagsOfOneNameMintDistinctIds() throws Exception {
        try (var ids = SegmentGenerator.builder("memory://relaxed-strict")
                .defaultStep(50)
                .open()) {
            Tag relaxed = ids.tag("order", new TagOptions().order(IdOrder.RELAXED));
            Tag strict = ids.tag("order");
            assertEquals(IdOrder.RELAXED, relaxed.order());
            assertEquals(IdOrder.STRICT, strict.order());
            assertSame(relaxed, ids.tag("order", new TagOptions().order(IdOrder.RELAXED)));
            assertSame(strict, ids.tag("order", new TagOptions().order(IdOrder.STRICT)));
            var drawn = new long[THREADS][5000];
            var minting = new Minting();
            for (int thread = 0; thread < THREADS; thread++) {
                long[] mine = drawn[thread];
                Tag tag = thread % 2 == 0 ? relaxed : strict;
                minting.start(() -> Arrays.setAll(mine, at -> tag.nextId()));
            }
            minting.join();
            assertEachOnce(Arrays.stream(drawn));
        }
    }

    @Test
    void noIdIsHandedOutAfterTheCloseEvenFromABlock() {
        SegmentGenerator ids = SegmentGenerator.open("memory://relaxed-closed");
        Tag order = ids.tag("order", new TagOptions().order(IdOrder.RELAXED));
        assertEquals(1, order.nextId());
        assertEquals(2, order.nextId());
        ids.close();
        List<Executable> calls = List.of(
                order::nextId,
                () -> order.nextId(Duration.ZERO),
                order::tryNextId,
                () -> order.nextIds(3),
                () -> order.nextRange(3),
                () -> ids.tag("order", new TagOptions().order(IdOrder.RELAXED)).nextId());
        for (int round = 0; round < 100; round++) {
            for (Executable call : calls) {
                assertThrows(ClosedException.class, call);
            }
        }
        TagStats stats = ids.stats().tags().get("order");
        assertEquals(2, stats.issued());
        assertEquals(stats.leased(), stats.issued() + stats.unused() + stats.givenBack());
    }

    @Test
    void idsWithGenesAreDistinctInRelaxedOrder() throws Exception {
        try (var ids = SegmentGenerator.builder("memory://relaxed-genes")
                .defaultStep(50)
                .open()) {
            Tag order = ids.tag("order", new TagOptions().geneBits(2).order(IdOrder.RELAXED));
            var drawn = new long[THREADS][2000];
            var minting = new Minting();
            for (long[] mine : drawn) {
                minting.start(() -> Arrays.setAll(mine, at -> order.nextIdWithGene(at % 4)));
            }
            minting.join();
            assertEachOnce(Arrays.stream(drawn));
            String message =
                    assertThrows(InvalidArgumentException.class, order::nextId).getMessage();
            assertTrue(message.contains("pass a gene"), message);
        }
    }
}
