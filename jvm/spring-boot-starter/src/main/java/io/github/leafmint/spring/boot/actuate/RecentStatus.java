package io.github.leafmint.spring.boot.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Remembers the last status document, and reads one at a time: clients cannot keep a database busy. Python's page keeps
 * the same pauses.
 */
final class RecentStatus {
    /** Shorter than the page takes to ask again. */
    private static final long LEAST_AGE = Duration.ofSeconds(2).toNanos();

    /** After a read, no other one begins for as many times as long as it took. */
    private static final long REST = 10;

    private final Supplier<CompletableFuture<byte[]>> read;
    private final LongSupplier nanoTime;
    private CompletableFuture<byte[]> last;
    private volatile long goodUntil;

    RecentStatus(Supplier<CompletableFuture<byte[]>> read, LongSupplier nanoTime) {
        this.read = read;
        this.nanoTime = nanoTime;
    }

    /** Returns the document that is being read, was just read, or is read from now on. */
    synchronized CompletableFuture<byte[]> read() {
        if (last == null || last.isDone() && nanoTime.getAsLong() - goodUntil >= 0) {
            long begun = nanoTime.getAsLong();
            last = read.get().whenComplete((document, failure) -> {
                long ended = nanoTime.getAsLong();
                goodUntil = ended + Math.max(LEAST_AGE, REST * (ended - begun));
            });
        }
        // A caller that cancels its copy takes nothing from the others.
        return last.copy();
    }
}
