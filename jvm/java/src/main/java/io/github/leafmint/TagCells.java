package io.github.leafmint;

import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.LimitCell;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.Reaper;
import io.github.leafmint.internal.threads.Waiting;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * Draws ids of one tag from the limit cells that Java and Rust share.
 *
 * <p>The hot path stays in Java. A native method runs only if a cell rejects a number. A base class and not a field,
 * because each step from object to object costs the hot path a third.
 */
abstract class TagCells {
    /** The largest batch. Native code takes a longer range, and refuses a larger batch. */
    static final long MAX_BATCH = 1 << 26;

    private static final VarHandle KNOWN_LIMIT;

    static {
        try {
            KNOWN_LIMIT = MethodHandles.lookup()
                    .findVarHandle(TagCells.class, "knownLimit", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** With relaxed order each thread draws from the cell of its stripe; with strict order there is one cell. */
    final boolean relaxed;

    private final long handle;
    private final ByteBuffer cells;

    /** With relaxed order, selects the bits of a thread's number that are its stripe. */
    private final int stripeMask;

    /**
     * The limit of a strict tag's cell when the cold path was last left.
     *
     * <p>It can only lag behind, which costs a visit to the cold path and never gives an id twice.
     */
    @SuppressWarnings("unused")
    private long knownLimit;

    /** Takes ownership of a native tag. */
    TagCells(long handle, boolean relaxed) {
        this.handle = handle;
        this.relaxed = relaxed;
        cells = Native.tagCells(handle);
        stripeMask = cells.capacity() / LimitCell.SIZE - 1; // the number of stripes is a power of two
        catchUp(); // or the first draw would lose its number, if another object of the tag has drawn before
        // Not when this object becomes unreachable: the cells must outlive a thread that is drawing from them.
        Reaper.freeWhenUnreachable(cells, handle, new Free());
    }

    /** A class and no method reference, because each start pays for it. */
    private static final class Free implements LongConsumer {
        @Override
        public void accept(long tag) {
            Native.tagFree(tag);
        }
    }

    /** Creates the exception that ends the wait of a thread that is interrupted. */
    abstract LeafmintException interrupted();

    /** Returns the native tag, which is valid as long as this object is reachable. */
    final long handle() {
        if (handle == 0) {
            throw Handle.withoutConstructor(this);
        }
        return handle;
    }

    final ByteBuffer cells() {
        ByteBuffer present = cells;
        if (present == null) {
            throw Handle.withoutConstructor(this);
        }
        return present;
    }

    /** Returns a limit that the cell has or had. A thread that draws one number reads it first. */
    final long knownLimit() {
        return (long) KNOWN_LIMIT.getAcquire(this);
    }

    /** Refreshes the known limit, after each visit to the cold path. */
    final void catchUp() {
        KNOWN_LIMIT.setRelease(this, LimitCell.limit(cells()));
    }

    /** Returns the next id of a strict tag, or a number below 0 if the caller has to wait. */
    final long draw() {
        long limit = knownLimit();
        long number = LimitCell.draw(cells());
        return number < limit ? number : drawCold(limit, number);
    }

    /** Returns an id for a number that the known limit rejected, or a number below 0 if the caller has to wait. */
    final long drawCold(long limit, long number) {
        try {
            return Native.tagNextIdCold(handle(), limit, number);
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the next id of this thread's stripe, or a number below 0 if the caller has to wait. */
    final long drawFromStripe() {
        int cell = cellOffset();
        long limit = LimitCell.limit(cells(), cell);
        long number = LimitCell.draw(cells(), cell);
        if (number < limit) {
            return number;
        }
        try {
            return Native.tagNextIdRelaxedCold(handle(), thread());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the next id if one is in hand, else a number below 0. */
    final long drawIfInHand() {
        int cell = cellOffset();
        if (LimitCell.cursor(cells(), cell) >= (relaxed ? LimitCell.limit(cells(), cell) : knownLimit())) {
            return poll(); // a draw from an empty cell would use up a number
        }
        return relaxed ? drawFromStripe() : draw();
    }

    private long poll() {
        try {
            return Native.tagTryNextId(handle(), thread());
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the first of {@code count} consecutive ids if the arguments are valid and the ids in hand, else below 0.
     */
    final long drawRun(long count, double timeoutSeconds) {
        boolean isValid = count >= 1 && count <= MAX_BATCH && Waiting.isValid(timeoutSeconds);
        return isValid ? LimitCell.drawRun(cells(), cellOffset(), count) : LimitCell.NONE;
    }

    /** Returns start and end of each range of the ids that are wanted, waiting up to the timeout. */
    final long[] take(int want, long count, double timeoutSeconds) {
        try {
            return answer(begin(want, count, timeoutSeconds));
        } finally {
            catchUp();
            Reference.reachabilityFence(this);
        }
    }

    /** Returns an id with a gene, waiting up to the timeout. */
    final long takeWithGene(long gene, double timeoutSeconds) {
        try {
            return answer(beginWithGene(gene, timeoutSeconds))[0];
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long[] answer(long[] begun) {
        long[] answer = Waiting.answer(begun);
        if (answer == null) {
            throw interrupted();
        }
        return answer;
    }

    /** Begins a call for ids: see {@link Native#tagTake}. */
    final long[] begin(int want, long count, double timeoutSeconds) {
        try {
            return Native.tagTake(handle(), thread(), want, count, timeoutSeconds);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Begins a call for an id with a gene: see {@link Native#tagTakeWithGene}. */
    final long[] beginWithGene(long gene, double timeoutSeconds) {
        try {
            return Native.tagTakeWithGene(handle(), thread(), gene, timeoutSeconds);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns this thread's number. A virtual thread has its own, so it keeps its stripe when its carrier changes. */
    private static long thread() {
        return Thread.currentThread().getId();
    }

    /** Returns the offset of the cell that this thread draws from. */
    private int cellOffset() {
        return relaxed ? ((int) thread() & stripeMask) * LimitCell.SIZE : 0;
    }
}
