package io.github.leafmint;

import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.threads.AsyncCall;
import io.github.leafmint.internal.threads.Waiting;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Mints the numbers of a period, such as the one that a date lies in.
 *
 * <p>Each call asks the core and keeps nothing: documents of many days would keep a tag for each, until the garbage
 * collector runs.
 */
final class DatedNumbers implements PeriodNumbers {
    private final Series series;
    private final Supplier<NativeGroup> group;

    DatedNumbers(Series series, Supplier<NativeGroup> group) {
        this.series = series;
        this.group = group;
    }

    @Override
    public SeriesNumber next(double timeoutSeconds) {
        try (NativeGroup group = this.group.get()) {
            return one(group.known(), group.cellsName(), take(group, Native.ONE, 1, timeoutSeconds));
        }
    }

    @Override
    public List<SeriesNumber> nextMany(long count, double timeoutSeconds) {
        long[] room = Tag.room(count);
        try (NativeGroup group = this.group.get()) {
            return many(group.known(), group.cellsName(), room, take(group, Native.MANY, count, timeoutSeconds));
        }
    }

    @Override
    public CompletableFuture<SeriesNumber> nextAsync(double timeoutSeconds) {
        try (NativeGroup group = this.group.get()) {
            SeriesGroup known = group.known();
            String cells = group.cellsName();
            return AsyncCall.begin(
                    () -> group.begin(Native.ONE, 1, timeoutSeconds), edges -> one(known, cells, edges), this);
        }
    }

    @Override
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, double timeoutSeconds) {
        long[] room = Tag.room(count);
        try (NativeGroup group = this.group.get()) {
            SeriesGroup known = group.known();
            String cells = group.cellsName();
            return AsyncCall.begin(
                    () -> group.begin(Native.MANY, count, timeoutSeconds),
                    edges -> many(known, cells, room, edges),
                    this);
        }
    }

    private long[] take(NativeGroup group, int want, long count, double timeoutSeconds) {
        long[] edges = Waiting.answer(group.begin(want, count, timeoutSeconds));
        if (edges == null) {
            throw series.interrupted(group.known());
        }
        return edges;
    }

    private SeriesNumber one(SeriesGroup group, String cells, long[] edges) {
        series.catchUp(cells);
        return series.number(group, edges[0]);
    }

    private List<SeriesNumber> many(SeriesGroup group, String cells, long[] room, long[] edges) {
        series.catchUp(cells);
        return series.numbers(group, room, edges);
    }
}
