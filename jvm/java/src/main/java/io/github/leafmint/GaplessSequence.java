package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.gapless.GaplessCall;
import io.github.leafmint.internal.gapless.JdbcRun;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.lang.ref.Reference;
import java.sql.Connection;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes numbers without gaps in a transaction of the application: a number is given back if the transaction rolls back.
 *
 * <p>The numbers of each period and key are a row of the table {@code leafmint_gapless}, which
 * {@link Leafmint#schemaSql} creates in MySQL, MariaDB, PostgreSQL and SQLite. The row stays locked until the
 * transaction ends, so take the number late. These are no keys: one transaction at a time has a number of a period.
 *
 * <p>A sequence can be used from any thread. For R2DBC see {@link R2dbcGapless}. A method that takes a connection
 * throws
 *
 * <ul>
 *   <li>{@link InvalidArgumentException} if the connection commits each statement by itself, or the database is of
 *       another product,
 *   <li>{@link InvalidConfigException} if the table is missing or cannot be used,
 *   <li>{@link StoreUnavailableException} if another transaction was in the way (reason {@code locked}) or the server
 *       failed: roll the transaction back, and repeat it as a whole. The cause is the driver's exception,
 *   <li>{@link IdSpaceExhaustedException} if there is no next number, or it does not fit the format.
 * </ul>
 *
 * <pre>{@code
 * static final GaplessSequence INVOICES = GaplessSequence.named("invoice")
 *         .period(SeriesPeriod.YEAR)
 *         .zone(ZoneId.of("Europe/Madrid"))
 *         .format(IdFormat.of("INV-{year}-{number:5}"))
 *         .build();
 *
 * connection.setAutoCommit(false);
 * String number = INVOICES.next(connection).text(); // INV-2026-00001
 * insertInvoice(connection, number);
 * connection.commit();
 * }</pre>
 */
public final class GaplessSequence {
    private final Handle handle;
    private final String name;
    private final SeriesPeriod period;
    private final @Nullable ZoneId zone;
    private final @Nullable String key;
    private final @Nullable IdFormat format;
    private final long start;
    private final InstantSource clock;

    GaplessSequence(GaplessSequenceBuilder options, SeriesPeriod period) {
        NativeLibrary.require();
        this.period = period;
        name = Text.name("the name of the sequence", options.name);
        zone = options.zone;
        key = options.key;
        format = options.format;
        start = options.start;
        clock = options.clock == null ? InstantSource.system() : options.clock;
        if (key != null) {
            Text.name("the key of the sequence", key);
        }
        long formatHandle = format == null ? 0 : format.handle();
        try {
            String region = zone == null ? "" : zone.getId();
            long declared = Native.gaplessSequence(name, period.text, region, key, formatHandle, start);
            handle = new Handle(declared, Native::gaplessSequenceFree);
        } finally {
            Reference.reachabilityFence(format);
        }
    }

    /**
     * Returns the builder of a sequence, which needs a period.
     *
     * @param name the name of the sequence
     * @return the builder
     */
    public static GaplessSequenceBuilder named(String name) {
        return new GaplessSequenceBuilder(requireNonNull(name, "name"));
    }

    /**
     * Returns the name of the sequence, without the key.
     *
     * @return the name
     */
    public String name() {
        handle();
        return name;
    }

    /**
     * Returns the period after which the numbers start again.
     *
     * @return the period
     */
    public SeriesPeriod period() {
        handle();
        return period;
    }

    /**
     * Returns the zone whose calendar says when a period ends.
     *
     * @return the zone; {@code null} if the numbers never start again
     */
    public @Nullable ZoneId zone() {
        handle();
        return zone;
    }

    /**
     * Returns the key that the sequence counts for.
     *
     * @return the key; {@code null} if it has none
     */
    public @Nullable String key() {
        handle();
        return key;
    }

    /**
     * Returns the format of the numbers.
     *
     * @return the format; {@code null} if it has none
     */
    public @Nullable IdFormat format() {
        handle();
        return format;
    }

    /**
     * Returns the first number of a period that has none.
     *
     * @return the first number
     */
    public long start() {
        handle();
        return start;
    }

    /**
     * Returns the next number of the present period.
     *
     * @param connection a connection in a transaction
     * @return the number
     */
    public SeriesNumber next(Connection connection) {
        requireNonNull(connection, "connection");
        return requireNonNull(JdbcRun.of(connection, toNext(today())));
    }

    /**
     * Returns the next number of the period that a date lies in, for a document of another day.
     *
     * @param connection a connection in a transaction
     * @param on the date, of the years 1 to 9999
     * @return the number
     * @throws InvalidArgumentException if the numbers never start again, or the year is out of range
     */
    public SeriesNumber next(Connection connection, LocalDate on) {
        requireNonNull(connection, "connection");
        return requireNonNull(JdbcRun.of(connection, toNext(requireNonNull(on, "on"))));
    }

    /**
     * Returns {@code count} consecutive numbers of the present period.
     *
     * @param connection a connection in a transaction
     * @param count 0 to 2<sup>26</sup>
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if {@code count} is out of range
     */
    public List<SeriesNumber> nextMany(Connection connection, long count) {
        requireNonNull(connection, "connection");
        return requireNonNull(JdbcRun.of(connection, toNextMany(count, today())));
    }

    /**
     * Returns {@code count} consecutive numbers of the period that a date lies in.
     *
     * @param connection a connection in a transaction
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return the numbers, in a list that cannot be changed
     * @throws InvalidArgumentException if an argument is out of range, or if the numbers never start again
     */
    public List<SeriesNumber> nextMany(Connection connection, long count, LocalDate on) {
        requireNonNull(connection, "connection");
        return requireNonNull(JdbcRun.of(connection, toNextMany(count, requireNonNull(on, "on"))));
    }

    /**
     * Returns the last number of the present period as the transaction of a connection sees it. It locks nothing.
     *
     * @param connection a connection, which may commit each statement by itself
     * @return the number; empty if the period has none
     */
    public Optional<SeriesNumber> last(Connection connection) {
        requireNonNull(connection, "connection");
        return Optional.ofNullable(JdbcRun.of(connection, toLast(today())));
    }

    /**
     * Returns the last number of the period that a date lies in, as the transaction of a connection sees it. It locks
     * nothing.
     *
     * @param connection a connection, which may commit each statement by itself
     * @param on the date, of the years 1 to 9999
     * @return the number; empty if the period has none
     * @throws InvalidArgumentException if the numbers never start again, or the year is out of range
     */
    public Optional<SeriesNumber> last(Connection connection, LocalDate on) {
        requireNonNull(connection, "connection");
        return Optional.ofNullable(JdbcRun.of(connection, toLast(requireNonNull(on, "on"))));
    }

    /**
     * Returns the name and key, and the period.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        handle();
        return "GaplessSequence[" + Text.printable(key == null ? name : name + "/" + key) + " by " + period.text + "]";
    }

    /** Returns the present date, or {@code null} if there are no periods. */
    @Nullable
    LocalDate today() {
        handle();
        return zone == null ? null : LocalDate.ofInstant(clock.instant(), zone);
    }

    /** Returns the call for the next number of a date. */
    GaplessCall<SeriesNumber> toNext(@Nullable LocalDate on) {
        SeriesGroup group = group(on);
        return GaplessCall.taking(1, handle, group.toString(), on, number -> new SeriesNumber(group, number));
    }

    /** Returns the call for several numbers of a date. */
    GaplessCall<List<SeriesNumber>> toNextMany(long count, @Nullable LocalDate on) {
        SeriesGroup group = group(on);
        return GaplessCall.taking(
                count,
                handle,
                group.toString(),
                on,
                first -> new ConsecutiveNumbers(group, first, Math.toIntExact(count)));
    }

    /** Returns the call for the last number of a date. */
    GaplessCall<SeriesNumber> toLast(@Nullable LocalDate on) {
        SeriesGroup group = group(on);
        return GaplessCall.reading(handle, group.toString(), on, number -> new SeriesNumber(group, number));
    }

    private SeriesGroup group(@Nullable LocalDate on) {
        try {
            @Nullable
            String[] facts = on == null
                    ? Native.gaplessGroup(handle(), 0, 0, 0)
                    : Native.gaplessGroup(handle(), on.getYear(), on.getMonthValue(), on.getDayOfMonth());
            LocalDate date = facts[1] == null ? null : LocalDate.parse(facts[1]);
            return new SeriesGroup(name, key, requireNonNull(facts[0]), date, format);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
