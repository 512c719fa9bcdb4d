package io.github.leafmint.internal.natives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Draws from a limit cell: native memory that Java and Rust share. Its layout, and the proof that no number is drawn
 * twice, are in {@code core/engine/src/limit_cell.rs}.
 *
 * <p>A relaxed tag has one cell per stripe, one after the other; {@code offset} is the start of one of them.
 *
 * <p>The buffer passed must be the root one, which is freed together with the memory; no other view of a cell is ever
 * made. The fences keep it reachable to the end of each access, so that the memory cannot be freed during one.
 */
public final class LimitCell {
    static final int CURSOR_OFFSET = 0;
    static final int LIMIT_OFFSET = 128;
    public static final int SIZE = 256;

    /** The lowest cursor of a closed cell. */
    static final long CLOSED = 1L << 62;

    /** Stands for ids that are not in hand. */
    public static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private LimitCell() {}

    /** Draws a number from the only cell. */
    public static long draw(ByteBuffer cells) {
        return draw(cells, 0);
    }

    /**
     * Draws a number from the cell at {@code offset}. It is an id if it is below a limit that was read before;
     * otherwise the cold path must judge it, once.
     */
    public static long draw(ByteBuffer cells, int offset) {
        try {
            return (long) WORD.getAndAdd(cells, offset + CURSOR_OFFSET, 1L);
        } finally {
            Reference.reachabilityFence(cells);
        }
    }

    /** Draws {@code count} consecutive ids from the only cell. */
    public static long drawRun(ByteBuffer cells, long count) {
        return drawRun(cells, 0, count);
    }

    /** Draws {@code count} consecutive ids below the limit and returns the first, or {@link #NONE}. */
    public static long drawRun(ByteBuffer cells, int offset, long count) {
        try {
            long limit = limit(cells, offset); // before the cursor, as for each draw
            for (long start = cursor(cells, offset); limit - start >= count; start = cursor(cells, offset)) {
                if (WORD.compareAndSet(cells, offset + CURSOR_OFFSET, start, start + count)) {
                    return start;
                }
            }
            return NONE;
        } finally {
            Reference.reachabilityFence(cells);
        }
    }

    public static long cursor(ByteBuffer cells) {
        return cursor(cells, 0);
    }

    public static long cursor(ByteBuffer cells, int offset) {
        return read(cells, offset + CURSOR_OFFSET);
    }

    public static long limit(ByteBuffer cells) {
        return limit(cells, 0);
    }

    public static long limit(ByteBuffer cells, int offset) {
        return read(cells, offset + LIMIT_OFFSET);
    }

    private static long read(ByteBuffer cells, int offset) {
        try {
            return (long) WORD.getAcquire(cells, offset);
        } finally {
            Reference.reachabilityFence(cells);
        }
    }
}
