package io.github.leafmint;

import java.nio.ByteBuffer;

/**
 * The memory of a lease's window, which Java and Rust use alike, for a generator with the option {@code windowed}. What may be done with
 * it stands in {@code core/src/snowflake/shared_window.rs}, and why it is safe in {@code tickets.rs} beside it.
 *
 * @param memory the root buffer, which the memory is freed with
 * @param handle the native window
 */
record SharedWindow(ByteBuffer memory, long handle) {
    static final int WINDOW_AT = 256;
    static final int WORKER_AT = 400;
    static final int SIZE = 408;

    /** Returns the window of a generator's present lease, or {@code null}. */
    static SharedWindow of(long generator) {
        long handle = Native.snowflakeWindow(generator);
        if (handle == Native.NOT_YET) {
            return null;
        }
        ByteBuffer memory = Native.windowMemory(handle);
        // Not with the record: the memory has to outlive whoever is drawing from it.
        Reaper.freeWhenUnreachable(memory, handle, Native::windowFree);
        return new SharedWindow(memory, handle);
    }

    /**
     * Returns the end of the window; 0 where it is shut. Whoever draws a ticket reads it first, or a copy of it.
     *
     * <p>A copy may lag. It allows no ticket that was not allowed when it was read, since the time up to any end is reserved; all it may do is
     * to let out the rest of a tick after the window was shut.
     */
    static long end(ByteBuffer memory) {
        return LimitCell.read(memory, WINDOW_AT);
    }

    /** Returns datacenter and worker id of the lease, as they are added to a ticket. */
    static long worker(ByteBuffer memory) {
        return LimitCell.read(memory, WORKER_AT);
    }

    /** Tells whether the lease is over, and with it this window. */
    boolean isOver() {
        return LimitCell.cursor(memory) >= LimitCell.CLOSED;
    }
}
