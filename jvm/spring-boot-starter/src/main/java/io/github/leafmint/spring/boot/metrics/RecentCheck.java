package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.ClosedException;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.SnowflakeCheck;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what a holder said last, and asks it again in the background when that is old. Python's gauges keep the
 * same pauses. Does not hold the generator.
 */
final class RecentCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.github.leafmint");

    /** After a read, no other one begins for as many times as long as it took. */
    private static final long REST = 10;

    private final long every;
    private final LongSupplier nanoTime;

    private SnowflakeCheck found;

    /** When this was read, or when the meters were switched on. */
    private long since;

    private boolean isReading;
    private boolean fails;
    private long nextAt;

    RecentCheck(Duration every, LongSupplier nanoTime) {
        this.every = every.toNanos();
        this.nanoTime = nanoTime;
        since = nanoTime.getAsLong();
        nextAt = since;
    }

    /** Returns what the holder said last; {@code null} if it has not answered yet, or if the generator is closed. */
    SnowflakeCheck read(SnowflakeGenerator generator) {
        if (begins()) {
            long begun = nanoTime.getAsLong();
            begin(generator).whenComplete((answer, failure) -> end(begun, answer, failure));
        }
        return known();
    }

    /** Returns the time since the holder answered. */
    synchronized Duration age() {
        return Duration.ofNanos(nanoTime.getAsLong() - since);
    }

    private synchronized SnowflakeCheck known() {
        return found;
    }

    private synchronized boolean begins() {
        boolean isDue = !isReading && nanoTime.getAsLong() - nextAt >= 0;
        isReading |= isDue;
        return isDue;
    }

    private static CompletableFuture<SnowflakeCheck> begin(SnowflakeGenerator generator) {
        try {
            return generator.checkAsync();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private synchronized void end(long begun, SnowflakeCheck answer, Throwable failure) {
        long ended = nanoTime.getAsLong();
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        boolean hasFailed = cause != null && !(cause instanceof ClosedException);
        if (hasFailed && !fails) {
            LOG.warn("the meters of the part holder could not be read: {}", cause.toString());
        }
        if (!hasFailed) {
            found = answer;
            since = ended;
        }
        fails = hasFailed;
        isReading = false;
        nextAt = ended + Math.max(every, REST * (ended - begun));
    }
}
