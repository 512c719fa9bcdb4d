package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Mints numbers that start again at 1 each day, month or year. Open it once with
 * {@link SegmentGenerator#series(String)} and keep it.
 *
 * <p>The pair of period and number is unique within the generator's {@linkplain SegmentGenerator#scope() scope}, and
 * numbers of one period strictly increase within the generator. There are gaps: numbers that are leased and not used
 * are lost if a process ends without a close. A series can be used from any thread. A number in hand costs no I/O, and
 * the first numbers of a period are in hand before it begins.
 *
 * <p>If the clock is set back, numbers go on in the older period. If it is ahead of the database's, periods change by
 * the database's.
 *
 * <p>If no number is in hand, a method that returns numbers waits up to its timeout, or the option {@code timeout}.
 * Waiting parks the thread, so a virtual thread releases its carrier. Such a method throws what the methods of
 * {@link Tag} throw, and
 *
 * <ul>
 *   <li>{@link InvalidConfigException} if the store has the series with another period or zone, or if the process
 *       begins with a clock that is ahead of the database's by a period,
 *   <li>{@link IdSpaceExhaustedException} if the number does not fit the format.
 * </ul>
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("memory:")) {
 *     Series invoices = ids.series("invoice")
 *             .period(SeriesPeriod.DAY)
 *             .zone(ZoneId.of("Europe/Madrid"))
 *             .format(IdFormat.of("INV-{yy}{month}{day}-{number:6}"))
 *             .open();
 *     String invoice = invoices.next().text(); // INV-261125-000001
 *     SeriesNumber backDated = invoices.next(LocalDate.of(2026, 10, 31));
 * }
 * }</pre>
 */
public final class Series {
    /** Uses of a key after which its series gets a handle. */
    private static final int FEW = 4;

    private final SegmentGenerator generator;
    private final String name;
    private final SeriesPeriod period;
    private final @Nullable ZoneId zone;
    private final @Nullable String key;
    private final @Nullable IdFormat format;
    private final long step;

    /** {@code null} if it is this machine's, or if there are no periods. */
    private final @Nullable InstantSource clock;

    /** The largest number that the format has room for. */
    private final long largest;

    /**
     * {@code null} as long as a key was used a few times only: each call has a handle of its own. Who opens a series
     * for each key that a stranger chooses drops it after one number, and the garbage collector would keep its handle.
     */
    private volatile @Nullable Handle kept;

    private int uses; // a lost count does no harm

    private volatile @Nullable InForce inForce;
    private volatile boolean isAnnounced;

    /** The period that is in force while the clock shows these Unix milliseconds. */
    private record InForce(long from, long until, PresentNumbers numbers) {}

    Series(SeriesBuilder options, SeriesPeriod period) {
        this.period = period;
        generator = options.generator;
        name = Text.name("the name of the series", options.name);
        zone = options.zone;
        key = options.key;
        format = options.format;
        clock = zone == null ? null : options.clock;
        if (key != null) {
            Text.name("the key of the series", key);
        }
        step = options.step;
        long opened = opened();
        largest = Native.seriesLargest(opened);
        if (key == null) {
            kept = new Handle(opened, Native::seriesFree);
        } else {
            Native.seriesFree(opened);
        }
    }

    private long opened() {
        IdFormat format = this.format;
        try {
            return Native.seriesOpen(
                    generator.handle(),
                    name,
                    period.text,
                    zone == null ? "" : zone.getId(),
                    key,
                    step,
                    format == null ? 0 : format.handle());
        } finally {
            Reference.reachabilityFence(format);
            Reference.reachabilityFence(generator);
        }
    }

    /** Calls natives with the handle that is kept, or with one for this call. */
    private <T> T call(LongFunction<T> natives) {
        Handle own = kept;
        if (own != null) {
            try {
                return natives.apply(own.value());
            } finally {
                Reference.reachabilityFence(own);
            }
        }
        long opened = opened();
        try {
            return natives.apply(opened);
        } finally {
            Native.seriesFree(opened);
        }
    }

    /** Counts a use. Returns whether a handle is kept: from a few uses on, if the generator has room for it. */
    private boolean use() {
        if (kept != null) {
            return true;
        }
        if (uses < FEW) {
            uses++;
            return false;
        }
        return keep();
    }

    private synchronized boolean keep() {
        if (kept == null) {
            kept = generator.keptSeries.keep(this::opened);
        }
        return kept != null;
    }

    /**
     * Returns the name of the series, without the key.
     *
     * @return the name
     */
    public String name() {
        checkMade();
        return name;
    }

    /**
     * Returns the period after which the numbers start again.
     *
     * @return the period
     */
    public SeriesPeriod period() {
        checkMade();
        return period;
    }

    /**
     * Returns the zone whose calendar says when a period ends.
     *
     * @return the zone; {@code null} if the numbers never start again
     */
    public @Nullable ZoneId zone() {
        checkMade();
        return zone;
    }

    /**
     * Returns the key that the series counts for.
     *
     * @return the key; {@code null} if it has none
     */
    public @Nullable String key() {
        checkMade();
        return key;
    }

    /**
     * Returns the format of the numbers.
     *
     * @return the format; {@code null} if it has none
     */
    public @Nullable IdFormat format() {
        checkMade();
        return format;
    }

    /**
     * Returns the next number of the present period, waiting up to the option {@code timeout}.
     *
     * @return the number
     */
    public SeriesNumber next() {
        return present().next(Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns the next number of the present period, waiting up to {@code timeout}.
     *
     * @param timeout 0 to one year
     * @return the number
     * @throws InvalidArgumentException if {@code timeout} is out of range
     */
    public SeriesNumber next(Duration timeout) {
        return present().next(Times.seconds(timeout));
    }

    /**
     * Returns the next number of the period that a date lies in, whatever the time, for a document of another day.
     * Waits up to the option {@code timeout}.
     *
     * @param on the date, of the years 1 to 9999
     * @return the number
     * @throws InvalidArgumentException if the numbers never start again, or the year is out of range
     */
    public SeriesNumber next(LocalDate on) {
        return of(on).next(Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns the next number of the period that a date lies in, waiting up to {@code timeout}.
     *
     * @param on the date, of the years 1 to 9999
     * @param timeout 0 to one year
     * @return the number
     * @throws InvalidArgumentException if an argument is out of range, or if the numbers never start again
     */
    public SeriesNumber next(LocalDate on, Duration timeout) {
        return of(on).next(Times.seconds(timeout));
    }

    /**
     * Returns {@code count} ascending numbers of the present period, with a gap if a segment ends among them. Waits up
     * to the option {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if {@code count} is out of range
     */
    public List<SeriesNumber> nextMany(long count) {
        return present().nextMany(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ascending numbers of the present period, waiting up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if an argument is out of range
     */
    public List<SeriesNumber> nextMany(long count, Duration timeout) {
        return present().nextMany(count, Times.seconds(timeout));
    }

    /**
     * Returns {@code count} ascending numbers of the period that a date lies in, waiting up to the option
     * {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if an argument is out of range, or if the numbers never start again
     */
    public List<SeriesNumber> nextMany(long count, LocalDate on) {
        return of(on).nextMany(count, Native.DEFAULT_TIMEOUT);
    }

    /**
     * Returns {@code count} ascending numbers of the period that a date lies in, waiting up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @param timeout 0 to one year
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if an argument is out of range, or if the numbers never start again
     */
    public List<SeriesNumber> nextMany(long count, LocalDate on, Duration timeout) {
        return of(on).nextMany(count, Times.seconds(timeout));
    }

    /**
     * Returns a future of the next number of the present period, which waits up to the option {@code timeout}. Blocks
     * no thread.
     *
     * @return a future of the number
     */
    public CompletableFuture<SeriesNumber> nextAsync() {
        return orFailed(() -> present().nextAsync(Native.DEFAULT_TIMEOUT));
    }

    /**
     * Returns a future of the next number of the present period, which waits up to {@code timeout}.
     *
     * @param timeout 0 to one year
     * @return a future of the number
     */
    public CompletableFuture<SeriesNumber> nextAsync(Duration timeout) {
        double seconds = Times.seconds(timeout);
        return orFailed(() -> present().nextAsync(seconds));
    }

    /**
     * Returns a future of the next number of the period that a date lies in, which waits up to the option
     * {@code timeout}.
     *
     * @param on the date, of the years 1 to 9999
     * @return a future of the number
     */
    public CompletableFuture<SeriesNumber> nextAsync(LocalDate on) {
        requireNonNull(on, "on");
        return orFailed(() -> of(on).nextAsync(Native.DEFAULT_TIMEOUT));
    }

    /**
     * Returns a future of the next number of the period that a date lies in, which waits up to {@code timeout}.
     *
     * @param on the date, of the years 1 to 9999
     * @param timeout 0 to one year
     * @return a future of the number
     */
    public CompletableFuture<SeriesNumber> nextAsync(LocalDate on, Duration timeout) {
        requireNonNull(on, "on");
        double seconds = Times.seconds(timeout);
        return orFailed(() -> of(on).nextAsync(seconds));
    }

    /**
     * Returns a future of {@code count} ascending numbers of the present period, which waits up to the option
     * {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return a future of the numbers, in a list that cannot be changed
     */
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count) {
        return orFailed(() -> present().nextManyAsync(count, Native.DEFAULT_TIMEOUT));
    }

    /**
     * Returns a future of {@code count} ascending numbers of the present period, which waits up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return a future of the numbers, in a list that cannot be changed
     */
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, Duration timeout) {
        double seconds = Times.seconds(timeout);
        return orFailed(() -> present().nextManyAsync(count, seconds));
    }

    /**
     * Returns a future of {@code count} ascending numbers of the period that a date lies in, which waits up to the
     * option {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return a future of the numbers, in a list that cannot be changed
     */
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, LocalDate on) {
        requireNonNull(on, "on");
        return orFailed(() -> of(on).nextManyAsync(count, Native.DEFAULT_TIMEOUT));
    }

    /**
     * Returns a future of {@code count} ascending numbers of the period that a date lies in, which waits up to
     * {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @param timeout 0 to one year
     * @return a future of the numbers, in a list that cannot be changed
     */
    public CompletableFuture<List<SeriesNumber>> nextManyAsync(long count, LocalDate on, Duration timeout) {
        requireNonNull(on, "on");
        double seconds = Times.seconds(timeout);
        return orFailed(() -> of(on).nextManyAsync(count, seconds));
    }

    /**
     * Returns the name and key, the period, and the scope of the generator.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        checkMade();
        String label = Text.printable(key == null ? name : name + "/" + key);
        return "Series[" + label + " by " + period.text + " of " + generator.scope() + "]";
    }

    /** Returns the numbers of the present period. */
    private PeriodNumbers present() {
        if (clock != null && zone != null) {
            // The core's clock shows another time, so it is only passed the date.
            return of(LocalDate.ofInstant(clock.instant(), zone));
        }
        long wall = System.currentTimeMillis();
        InForce known = inForce;
        if (known != null && known.from <= wall && wall < known.until) {
            return known.numbers;
        }
        checkMade();
        return use() ? enter(wall) : presentOfCore();
    }

    private PeriodNumbers of(LocalDate date) {
        requireNonNull(date, "on");
        checkMade();
        use();
        return new DatedNumbers(this, () -> groupOn(date));
    }

    /** Returns whether the format has room for some numbers only. */
    boolean isBounded() {
        return largest < Long.MAX_VALUE;
    }

    /** Returns the numbers of the present period as the core draws them: it takes none if they do not all fit. */
    PeriodNumbers presentOfCore() {
        return new DatedNumbers(this, () -> groupAt(System.currentTimeMillis()));
    }

    /** Enters the period that the calendar shows. */
    private PresentNumbers enter(long wall) {
        try (NativeGroup group = groupAt(wall)) {
            SeriesGroup known = group.known();
            SeriesCells cells = generator.seriesCells(
                    group.cellsName(), () -> new SeriesCells(known.toString(), generator, call(group::tagOf)));
            var numbers = new PresentNumbers(this, known, cells);
            inForce = new InForce(group.from(), group.until(), numbers);
            return numbers;
        }
    }

    private NativeGroup groupAt(long wall) {
        return opened(call(series -> zone == null
                ? Native.seriesEnter(series, wall, wall, false, 0, 0, 0, 0, 0)
                : enter(series, wall, zone)));
    }

    private static long enter(long series, long wall, ZoneId zone) {
        long time = Native.seriesTime(series);
        LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(time), zone);
        long[] days = Native.seriesBounds(series, date.getYear(), date.getMonthValue(), date.getDayOfMonth());
        return Native.seriesEnter(
                series,
                wall,
                time,
                true,
                date.getYear(),
                date.getMonthValue(),
                date.getDayOfMonth(),
                startOf(NativeGroup.day(days, 0), zone),
                startOf(NativeGroup.day(days, 3), zone));
    }

    private static long startOf(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant().toEpochMilli();
    }

    /** Returns the group of a date. */
    NativeGroup groupOn(LocalDate date) {
        return opened(
                call(series -> Native.seriesOn(series, date.getYear(), date.getMonthValue(), date.getDayOfMonth())));
    }

    private NativeGroup opened(long handle) {
        var group = new NativeGroup(this, handle);
        if (!isAnnounced) {
            isAnnounced = true;
            try {
                generator.announce(name + "@" + period.text); // as the statistics name it
            } catch (RuntimeException | Error ofListener) {
                group.close();
                throw ofListener;
            }
        }
        return group;
    }

    SeriesNumber number(SeriesGroup group, long number) {
        check(number);
        return new SeriesNumber(group, number);
    }

    /** Returns numbers, written into {@code room}; {@code edges} holds start and end of each run of them. */
    List<SeriesNumber> numbers(SeriesGroup group, long[] room, long[] edges) {
        if (edges.length > 0) {
            check(edges[edges.length - 1] - 1);
        }
        return new SeriesNumbers(group, Tag.writeAll(room, 0, edges));
    }

    private void check(long number) {
        if (number > largest) {
            refuse(number);
        }
    }

    /** Throws the exception for a number that the format has no room for. */
    private void refuse(long number) {
        call(series -> {
            Native.seriesCheck(series, number);
            return true;
        });
    }

    /** Prepares the cells of a group, if there are any, after numbers were taken without them. */
    void catchUp(String cellsName) {
        SeriesCells cells = generator.seriesCells(cellsName);
        if (cells != null) {
            cells.catchUp();
        }
    }

    /** Creates the exception that ends the wait of a thread that is interrupted. */
    LeafmintException interrupted(SeriesGroup group) {
        return SeriesCells.interrupted(group.toString(), generator);
    }

    private static <T> CompletableFuture<T> orFailed(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Refuses an object whose constructor did not run. */
    private void checkMade() {
        if (generator == null) {
            throw Handle.withoutConstructor(this);
        }
    }
}
