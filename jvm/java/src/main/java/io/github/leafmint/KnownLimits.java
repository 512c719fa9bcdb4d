package io.github.leafmint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Mirrors the limits of a tag's cells on the heap, one for each place: reading them there takes a third of the steps that native
 * memory takes. A mirror holds what the limit was when the cold path was last left; why it may lag stands in {@code core/src/cell.rs}.
 */
final class KnownLimits {
    private static final VarHandle LIMIT = MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    /** From one mirror to the next, so that each has cache lines of its own. */
    private static final int SPACING = 16;

    private KnownLimits() {}

    /** Makes mirrors of so many cells, which allow nothing yet. */
    static long[] of(int cells) {
        return new long[(cells + 1) * SPACING];
    }

    /** Returns a limit that the cell of this place has or had. Whoever draws one number reads it first. */
    static long get(long[] limits, int place) {
        return (long) LIMIT.getAcquire(limits, (place + 1) * SPACING);
    }

    /** Takes over the limit of the cell, after each visit to the cold path. */
    static void catchUp(long[] limits, ByteBuffer cell, int place) {
        LIMIT.setRelease(limits, (place + 1) * SPACING, LimitCell.limit(cell, place * LimitCell.SIZE));
    }
}
