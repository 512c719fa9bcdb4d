package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.ClosedException;
import io.github.leafmint.InvalidArgumentException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory that Java and Rust share. */
@Timeout(60)
class LimitCellTest {
    private static void withTag(String store, Map<String, Object> values, long geneBits, BiConsumer<Long, Long> use) {
        NativeLibrary.require();
        var options = new OptionValues(values);
        long generator = Native.segmentOpen(store, options.texts, options.numbers, 0);
        long tag = Native.segmentTag(generator, "order", geneBits, false);
        try {
            use.accept(generator, tag);
        } finally {
            Native.tagFree(tag);
            Native.segmentFree(generator, 0);
        }
    }

    /** Waits for the first segment and takes one id from it. */
    private static long first(long tag) {
        long id = Native.tagTryNextId(tag, 0);
        while (id == Native.NOT_YET) {
            Thread.onSpinWait();
            id = Native.tagTryNextId(tag, 0);
        }
        return id;
    }

    @Test
    void javaAndTheCoreHaveTheSameLayout() {
        NativeLibrary.require();
        assertArrayEquals(
                new long[] {LimitCell.CURSOR_OFFSET, LimitCell.LIMIT_OFFSET, LimitCell.SIZE, LimitCell.CLOSED},
                Native.tagCellLayout());
    }

    @Test
    void javaAndTheCoreShareOneCursor() {
        withTag("memory://cursor", Map.of("default_step", 100L), 0, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            assertEquals(LimitCell.SIZE, cell.capacity());
            assertEquals(1, first(tag));
            assertEquals(2, LimitCell.cursor(cell));
            long limit = LimitCell.limit(cell);
            assertTrue(limit > 2 && limit <= 101, "a soft limit inside 1..101, not " + limit);
            assertEquals(2, LimitCell.draw(cell));
            assertEquals(3, LimitCell.drawRun(cell, 4));
            assertEquals(7, Native.tagTryNextId(tag, 0));
        });
    }

    @Test
    void aRunNeverPassesTheLimit() {
        withTag("memory://run", Map.of("default_step", 100L), 0, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            first(tag);
            long left = LimitCell.limit(cell) - LimitCell.cursor(cell);
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, left + 1));
            assertEquals(2, LimitCell.cursor(cell), "what is refused is not drawn");
            assertEquals(2, LimitCell.drawRun(cell, left));
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 1));
        });
    }

    @Test
    void aStaleLimitOfTheSameSegmentLosesNoNumber() {
        withTag("memory://lag", Map.of("default_step", 100L), 0, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            first(tag);
            long stale = LimitCell.limit(cell);
            long expected = 2;
            for (; expected <= 100; expected++) {
                long number = LimitCell.draw(cell);
                assertEquals(expected, number < stale ? number : Native.tagNextIdCold(tag, stale, number));
            }
        });
    }

    @Test
    void aStaleLimitOfAnEarlierSegmentGetsALaterNumber() {
        withTag("memory://switch", Map.of("default_step", 10L, "max_step", 10L), 0, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            first(tag);
            long stale = LimitCell.limit(cell);
            long last = 1;
            for (int draw = 0; draw < 100; draw++) {
                long number = LimitCell.draw(cell);
                long id = number < stale ? number : Native.tagNextIdCold(tag, stale, number);
                while (id == Native.NOT_YET) {
                    Thread.onSpinWait();
                    id = Native.tagTryNextId(tag, 0);
                }
                assertTrue(id > last, id + " after " + last);
                last = id;
            }
        });
    }

    @Test
    void everyDrawAfterACloseIsAtOrAboveTheClosedMark() {
        withTag("memory://closed-cell", Map.of(), 0, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            first(tag);
            long limit = LimitCell.limit(cell);
            Native.pendingEnd(Native.segmentBeginClose(generator));
            long number = LimitCell.draw(cell);
            assertTrue(number >= LimitCell.CLOSED);
            assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 1));
            assertThrows(ClosedException.class, () -> Native.tagNextIdCold(tag, limit, number));
        });
    }

    @Test
    void theCellOfATagWithGeneBitsIsAlwaysEmpty() {
        withTag("memory://gene-cell", Map.of(), 4, (generator, tag) -> {
            ByteBuffer cell = Native.tagCells(tag);
            for (int draw = 0; draw < 3; draw++) {
                assertEquals(0, LimitCell.limit(cell));
                long number = LimitCell.draw(cell);
                assertEquals(LimitCell.NONE, LimitCell.drawRun(cell, 1));
                assertThrows(InvalidArgumentException.class, () -> Native.tagNextIdCold(tag, 0, number));
            }
        });
    }
}
