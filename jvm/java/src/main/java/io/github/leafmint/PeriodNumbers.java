package io.github.leafmint;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Mints the numbers of one period of a series. Each call waits up to its timeout. */
sealed interface PeriodNumbers permits PresentNumbers, DatedNumbers {
    SeriesNumber next(double timeoutSeconds);

    List<SeriesNumber> nextMany(long count, double timeoutSeconds);

    CompletableFuture<SeriesNumber> nextAsync(double timeoutSeconds);

    CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, double timeoutSeconds);
}
