package io.github.leafmint;

import io.github.leafmint.internal.natives.LimitCell;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.threads.AsyncCall;
import io.github.leafmint.internal.threads.Waiting;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Mints the numbers of the period in force, which Java draws from the cells of its tag. */
final class PresentNumbers implements PeriodNumbers {
    private final Series series;
    private final SeriesGroup group;
    private final SeriesCells cells;

    PresentNumbers(Series series, SeriesGroup group, SeriesCells cells) {
        this.series = series;
        this.group = group;
        this.cells = cells;
    }

    @Override
    public SeriesNumber next(double timeoutSeconds) {
        long number = inHand(timeoutSeconds);
        return series.number(group, number >= 0 ? number : cells.take(Native.ONE, 1, timeoutSeconds)[0]);
    }

    @Override
    public List<SeriesNumber> nextMany(long count, double timeoutSeconds) {
        if (series.isBounded()) {
            return series.presentOfCore().nextMany(count, timeoutSeconds);
        }
        long[] room = Tag.room(count);
        long start = cells.drawRun(count, timeoutSeconds);
        return series.numbers(
                group, room, start >= 0 ? run(start, count) : cells.take(Native.MANY, count, timeoutSeconds));
    }

    @Override
    public CompletableFuture<SeriesNumber> nextAsync(double timeoutSeconds) {
        long number = inHand(timeoutSeconds);
        return number >= 0
                ? CompletableFuture.completedFuture(series.number(group, number))
                : AsyncCall.begin(() -> cells.begin(Native.ONE, 1, timeoutSeconds), this::first, this);
    }

    @Override
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, double timeoutSeconds) {
        if (series.isBounded()) {
            return series.presentOfCore().nextManyAsync(count, timeoutSeconds);
        }
        long[] room = Tag.room(count);
        return AsyncCall.begin(
                () -> {
                    long start = cells.drawRun(count, timeoutSeconds);
                    return start >= 0 ? run(start, count) : cells.begin(Native.MANY, count, timeoutSeconds);
                },
                edges -> series.numbers(group, room, edges),
                this);
    }

    /** Returns the next number if the timeout is valid and there is one in hand, else a number below 0. */
    private long inHand(double timeoutSeconds) {
        return Waiting.isValid(timeoutSeconds) ? cells.draw() : LimitCell.NONE;
    }

    private SeriesNumber first(long[] range) {
        cells.catchUp();
        return series.number(group, range[0]);
    }

    private static long[] run(long start, long count) {
        return new long[] {start, start + count};
    }
}
