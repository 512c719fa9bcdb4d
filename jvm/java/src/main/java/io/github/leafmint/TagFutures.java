package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Mints ids of one tag as futures. Base class of {@link BizTag}. */
abstract class TagFutures extends TagCells implements AsyncIds {
    TagFutures(long handle, boolean relaxed) {
        super(handle, relaxed);
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
        return oneWithGene(gene, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<Long> nextIdWithGeneAsync(long gene, Duration timeout) {
        return oneWithGene(gene, Times.seconds(requireNonNull(timeout, "timeout")));
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count) {
        return many(count, Native.DEFAULT_TIMEOUT);
    }

    @Override
    public CompletableFuture<long[]> nextIdsAsync(long count, Duration timeout) {
        return many(count, Times.seconds(requireNonNull(timeout, "timeout")));
    }

    private CompletableFuture<Long> one(double timeoutSeconds) {
        try {
            if (Waiting.isValid(timeoutSeconds)) {
                long id = relaxed ? drawFromStripe() : draw();
                if (id >= 0) {
                    return CompletableFuture.completedFuture(id);
                }
            }
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return AsyncCall.begin(() -> begin(Native.ONE, 1, timeoutSeconds), this::first, this);
    }

    private CompletableFuture<Long> oneWithGene(long gene, double timeoutSeconds) {
        return AsyncCall.begin(() -> beginWithGene(gene, timeoutSeconds), range -> range[0], this);
    }

    private long first(long[] range) {
        catchUp();
        return range[0];
    }

    private CompletableFuture<long[]> many(long count, double timeoutSeconds) {
        return AsyncCall.begin(
                () -> {
                    long start = drawRun(count, timeoutSeconds);
                    return start >= 0 ? new long[] {start, start + count} : begin(Native.MANY, count, timeoutSeconds);
                },
                ranges -> Runs.writeAll(new long[(int) count], 0, ranges),
                this);
    }
}
