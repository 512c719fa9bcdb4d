package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Mints snowflakes as futures. Base class of {@link SnowflakeGenerator}. */
abstract sealed class SnowflakeFutures extends SnowflakeAdministration implements AsyncIds permits SnowflakeGenerator {
    SnowflakeFutures(long handle, @Nullable CredentialsThread credentials) {
        super(handle, credentials);
    }

    @Override
    public CompletableFuture<Long> nextIdAsync() {
        return one(Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdAsync(Duration timeout) {
        return one(Times.seconds(requireNonNull(timeout, "timeout")));
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene) {
        return one(true, gene, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene, Duration timeout) {
        return one(true, gene, Times.seconds(requireNonNull(timeout, "timeout")));
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count) {
        return many(count, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count, Duration timeout) {
        return many(count, Times.seconds(requireNonNull(timeout, "timeout")));
    }

    /** Returns the next id, or {@link Native#NOT_YET} if the caller has to wait. */
    final long draw() {
        try {
            return Native.snowflakeNextId(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Begins a call for ids: see {@link Native#snowflakeTake}. */
    final long[] begin(int want, long count, boolean hasGene, long gene, double timeoutSeconds) {
        try {
            return Native.snowflakeTake(handle(), want, count, hasGene, gene, timeoutSeconds);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private CompletableFuture<Long> one(double timeoutSeconds) {
        try {
            if (Waiting.isValid(timeoutSeconds)) {
                long id = draw();
                if (id >= 0) {
                    return CompletableFuture.completedFuture(id);
                }
            }
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return one(false, 0, timeoutSeconds);
    }

    private CompletableFuture<Long> one(boolean hasGene, long gene, double timeoutSeconds) {
        return AsyncCall.begin(() -> begin(Native.ONE, 1, hasGene, gene, timeoutSeconds), ids -> ids[0], this);
    }

    private CompletableFuture<long[]> many(long count, double timeoutSeconds) {
        return AsyncCall.begin(() -> begin(Native.MANY, count, false, 0, timeoutSeconds), ids -> ids, this);
    }
}
