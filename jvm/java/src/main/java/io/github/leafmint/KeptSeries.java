package io.github.leafmint;

import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the handles of some keys of a generator, each until the garbage collector finds that its series was dropped.
 */
final class KeptSeries {
    /** Far fewer than the option {@code max_keys} allows, so that dropped ones leave room for others. */
    private static final int MOST = 1000;

    private final Semaphore room = new Semaphore(MOST);

    /** Returns a handle, or {@code null} if there is no room. */
    @Nullable
    Handle keep(LongSupplier opener) {
        if (!room.tryAcquire()) {
            return null;
        }
        long opened;
        try {
            opened = opener.getAsLong();
        } catch (RuntimeException | Error failure) {
            room.release();
            throw failure;
        }
        Semaphore room = this.room; // not the generator, which stays reachable only as long as its series are
        return new Handle(opened, series -> {
            Native.seriesFree(series);
            room.release();
        });
    }
}
