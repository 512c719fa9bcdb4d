package io.github.leafmint;

import io.github.leafmint.internal.natives.Native;
import java.time.LocalDate;

/** The group of a period, which one call of a series uses on one thread. */
final class NativeGroup implements AutoCloseable {
    private final long handle;
    private final SeriesGroup known;
    private final long from;
    private final long until;
    private final long identity;

    /** Takes ownership of a native group of a series. */
    NativeGroup(Series series, long handle) {
        this.handle = handle;
        long[] figures = Native.seriesGroupFigures(handle);
        from = figures[0];
        until = figures[1];
        identity = figures[5];
        LocalDate date = figures[2] == 0 ? null : day(figures, 2);
        known = new SeriesGroup(series.name(), series.key(), Native.seriesGroupText(handle), date, series.format());
    }

    SeriesGroup known() {
        return known;
    }

    /** Returns the name of the cells: a period whose rest was given back has others if it comes again. */
    String cellsName() {
        return known + "#" + identity;
    }

    /** Returns from when on the group is in force, in Unix milliseconds of this machine's clock. */
    long from() {
        return from;
    }

    long until() {
        return until;
    }

    /** Begins a call for numbers: see {@link Native#tagTake}. */
    long[] begin(int want, long count, double timeoutSeconds) {
        return Native.seriesGroupTake(handle, want, count, timeoutSeconds);
    }

    /** Returns a native tag that the caller owns. */
    long tagOf(long series) {
        return Native.seriesGroupTag(series, handle);
    }

    @Override
    public void close() {
        Native.seriesGroupFree(handle);
    }

    /** Returns the day of a year, month and day. */
    static LocalDate day(long[] figures, int at) {
        return LocalDate.of((int) figures[at], (int) figures[at + 1], (int) figures[at + 2]);
    }
}
