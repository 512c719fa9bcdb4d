package io.github.leafmint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Draws from a limit cell: native memory that Java and Rust use alike. Layout and proof stand in
 * {@code core/src/limit_cell.rs}.
 *
 * <p>With relaxed order a tag has several cells side by side; {@code at} is where one of them begins.
 *
 * <p>The buffer passed is the root one, which the memory is freed with; no other view of a cell is ever made. The
 * fences keep it reachable to the end of an access: else the memory could be freed in the middle of one.
 */
final class LimitCell {
    static final int CURSOR_AT = 0;
    static final int LIMIT_AT = 128;
    static final int SIZE = 256;

    /** A cursor from here on is a closed cell's. */
    static final long CLOSED = 1L << 62;

    /** Stands for ids that are not in hand. */
    static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private LimitCell() {}

    /** Draws a number from the only cell. */
    static long draw(ByteBuffer cell) {
        return draw(cell, 0);
    }

    /**
     * Draws a number from the cell that stands at {@code at}. It is an id if it lies below the limit that was read
     * before; else the cold path judges it, once.
     */
    static long draw(ByteBuffer cell, int at) {
        try {
            return (long) WORD.getAndAdd(cell, at + CURSOR_AT, 1L);
        } finally {
            Reference.reachabilityFence(cell);
        }
    }

    /** Draws {@code count} ids from the only cell. */
    static long drawRun(ByteBuffer cell, long count) {
        return drawRun(cell, 0, count);
    }

    /** Draws {@code count} ids in one piece below the limit and returns the first, or {@link #NONE}. */
    static long drawRun(ByteBuffer cell, int at, long count) {
        try {
            long limit = limit(cell, at); // before the cursor, as for each draw
            for (long start = cursor(cell, at); limit - start >= count; start = cursor(cell, at)) {
                if (WORD.compareAndSet(cell, at + CURSOR_AT, start, start + count)) {
                    return start;
                }
            }
            return NONE;
        } finally {
            Reference.reachabilityFence(cell);
        }
    }

    static long cursor(ByteBuffer cell) {
        return cursor(cell, 0);
    }

    static long cursor(ByteBuffer cell, int at) {
        return read(cell, at + CURSOR_AT);
    }

    static long limit(ByteBuffer cell) {
        return limit(cell, 0);
    }

    static long limit(ByteBuffer cell, int at) {
        return read(cell, at + LIMIT_AT);
    }

    private static long read(ByteBuffer cell, int at) {
        try {
            return (long) WORD.getAcquire(cell, at);
        } finally {
            Reference.reachabilityFence(cell);
        }
    }
}
