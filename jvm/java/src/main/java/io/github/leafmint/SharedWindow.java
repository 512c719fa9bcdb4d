package io.github.leafmint;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The window of one lease, for a generator with the option {@code windowed}: ids without a native call. What may be done with its memory
 * stands in {@code core/src/snowflake/shared_window.rs}, and why it is safe in {@code tickets.rs} beside it.
 */
final class SharedWindow {
    static final int WINDOW_AT = 256;
    static final int SIZE = 264;

    private final ByteBuffer memory;
    private final long handle;
    private final long ticks;
    private final long lift;
    private final long worker;
    private final int geneBits;

    private SharedWindow(long handle) {
        this.handle = handle;
        memory = Native.windowMemory(handle);
        long[] splice = Native.windowSplice(handle);
        ticks = splice[0];
        lift = splice[1];
        worker = splice[2];
        geneBits = (int) splice[3];
        // Not with this object: the memory has to outlive whoever is drawing from it.
        Handle.freeWhenUnreachable(memory, handle, Native::windowFree);
    }

    /** Returns the window of a generator's present lease, or {@code null}. */
    static SharedWindow of(long generator) {
        long handle = Native.snowflakeWindow(generator);
        return handle == Native.NOT_YET ? null : new SharedWindow(handle);
    }

    /** Returns the next id, or a number below 0 where the generator has to be asked, or waited for. */
    long draw(long generator) {
        long end = LimitCell.read(memory, WINDOW_AT); // before the draw
        if (end == 0) {
            return LimitCell.NONE;
        }
        long ticket = LimitCell.draw(memory);
        if (ticket < end) {
            return (ticket + (ticket & ticks) * lift + worker) << geneBits;
        }
        try {
            return Native.snowflakeNextIdBehind(generator, handle, ticket);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Tells whether the lease is over, and with it this window. */
    boolean isOver() {
        return LimitCell.cursor(memory) >= LimitCell.CLOSED;
    }
}
