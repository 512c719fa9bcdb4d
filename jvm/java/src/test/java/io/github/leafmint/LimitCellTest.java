package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory that Java and Rust share. */
@Timeout(60)
class LimitCellTest {
    private static void withTag(String store, String[] options, long geneBits, BiConsumer<Long, Long> use) {
        withTag(store, options, geneBits, false, use);
    }

    private static void withTag(
            String store, String[] options, long geneBits, boolean relaxed, BiConsumer<Long, Long> use) {
        NativeLibrary.require();
        long generator = Native.open(store, options, null);
        long tag = Native.bizTag(generator, "order", geneBits, relaxed);
        try {
            use.accept(generator, tag);
        } finally {
            Native.tagFree(tag);
            Native.generatorFree(generator);
        }
    }

    /** Waits for the first segment and takes one id of it. */
    private static long first(long tag) {
        long id = Native.tryNextId(tag, 0);
        while (id == Native.NOT_YET) {
            Thread.onSpinWait();
            id = Native.tryNextId(tag, 0);
        }
        return id;
    }

    @Test
    void javaAndTheCoreKnowTheSameLayout() {
        NativeLibrary.require();
        assertArrayEquals(
                new long[] {LimitCell.CURSOR_AT, LimitCell.LIMIT_AT, LimitCell.SIZE, LimitCell.CLOSED}, Native.cellLayout());
    }

    @Test
    void javaReadsAndMovesTheVeryCursorOfTheCore() {
        withTag("memory://cursor", new String[] {"default_step", "100"}, 0, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            assertEquals(LimitCell.SIZE, cell.capacity());
            assertEquals(1, first(tag));
            assertEquals(2, LimitCell.cursor(cell, 0));
            long limit = LimitCell.limit(cell, 0);
            assertTrue(limit > 2 && limit <= 101, "a soft limit inside 1..101, not " + limit);
            assertEquals(2, LimitCell.draw(cell, 0));
            assertEquals(3, LimitCell.drawRun(cell, 0, 4));
            assertEquals(7, Native.tryNextId(tag, 0));
        });
    }

    @Test
    void aRunNeverReachesBeyondTheLimit() {
        withTag("memory://run", new String[] {"default_step", "100"}, 0, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            first(tag);
            long left = LimitCell.limit(cell, 0) - LimitCell.cursor(cell, 0);
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 0, left + 1));
            assertEquals(2, LimitCell.cursor(cell, 0), "what is refused is not drawn");
            assertEquals(2, LimitCell.drawRun(cell, 0, left));
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 0, 1));
        });
    }

    @Test
    void aLimitThatLagsWithinASegmentCostsNoNumber() {
        withTag("memory://lag", new String[] {"default_step", "100"}, 0, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            first(tag);
            long stale = LimitCell.limit(cell, 0);
            long expected = 2;
            for (; expected <= 100; expected++) {
                long number = LimitCell.draw(cell, 0);
                assertEquals(expected, number < stale ? number : Native.nextIdCold(tag, stale, number));
            }
        });
    }

    @Test
    void aLimitThatLagsBehindASwitchIsRejectedAndGetsAnotherNumber() {
        var options = new String[] {"default_step", "10", "max_step", "10"};
        withTag("memory://switch", options, 0, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            first(tag);
            long stale = LimitCell.limit(cell, 0);
            long last = 1;
            for (int draw = 0; draw < 100; draw++) {
                long number = LimitCell.draw(cell, 0);
                long id = number < stale ? number : Native.nextIdCold(tag, stale, number);
                while (id == Native.NOT_YET) {
                    Thread.onSpinWait();
                    id = Native.tryNextId(tag, 0);
                }
                assertTrue(id > last, id + " after " + last);
                last = id;
            }
        });
    }

    @Test
    void theKnownLimitOfAPlaceIsThatOfItsOwnCellOnceItHasCaughtUp() {
        withTag("memory://places", new String[] {"default_step", "1000"}, 0, true, (generator, tag) -> {
            ByteBuffer cells = Native.cell(tag);
            int places = cells.capacity() / LimitCell.SIZE;
            long[] known = KnownLimits.of(places);
            first(tag);
            for (int place = 0; place < places; place++) {
                assertEquals(0, KnownLimits.get(known, place), "nothing is allowed before");
                Native.tryNextId(tag, place);
                KnownLimits.catchUp(known, cells, place);
            }
            long last = 0;
            for (int place = 0; place < places; place++) {
                long limit = LimitCell.limit(cells, place * LimitCell.SIZE);
                assertEquals(limit, KnownLimits.get(known, place));
                assertTrue(limit > last, "each place has a block of its own");
                last = limit;
            }
        });
    }

    @Test
    void afterACloseEveryDrawLiesAtTheClosedMarkOrAbove() {
        withTag("memory://closed-cell", new String[0], 0, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            first(tag);
            long limit = LimitCell.limit(cell, 0);
            Native.pendingEnd(Native.close(generator));
            long number = LimitCell.draw(cell, 0);
            assertTrue(number >= LimitCell.CLOSED);
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 0, 1));
            assertThrows(ClosedException.class, () -> Native.nextIdCold(tag, limit, number));
        });
    }

    @Test
    void theCellOfATagWithGeneBitsIsAlwaysEmpty() {
        withTag("memory://gene-cell", new String[0], 4, (generator, tag) -> {
            ByteBuffer cell = Native.cell(tag);
            for (int draw = 0; draw < 3; draw++) {
                assertEquals(0, LimitCell.limit(cell, 0));
                long number = LimitCell.draw(cell, 0);
                assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 0, 1));
                assertThrows(InvalidArgumentException.class, () -> Native.nextIdCold(tag, 0, number));
            }
        });
    }
}
