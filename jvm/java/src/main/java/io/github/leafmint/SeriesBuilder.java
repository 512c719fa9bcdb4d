package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Opens a {@link Series}. Get it from {@link SegmentGenerator#series(String)}.
 *
 * <pre>{@code
 * Series invoices = ids.series("invoice")
 *         .period(SeriesPeriod.DAY)
 *         .zone(ZoneId.of("Europe/Madrid"))
 *         .format(IdFormat.of("INV-{yy}{month}{day}-{number:6}"))
 *         .open();
 * }</pre>
 */
public final class SeriesBuilder {
    final SegmentGenerator generator;
    final String name;

    @Nullable
    SeriesPeriod period;

    @Nullable
    ZoneId zone;

    @Nullable
    String key;

    long step = 1;

    @Nullable
    IdFormat format;

    @Nullable
    InstantSource clock;

    SeriesBuilder(SegmentGenerator generator, String name) {
        this.generator = generator;
        this.name = name;
        clock = generator.clock;
    }

    /**
     * Sets the period after which the numbers start again at 1. It belongs to the name: all keys and all processes
     * share it, and it never changes.
     *
     * @param period the period
     * @return this builder
     */
    public SeriesBuilder period(SeriesPeriod period) {
        this.period = requireNonNull(period, "period");
        return this;
    }

    /**
     * Sets the time zone whose calendar says when a period ends. It belongs to the name, as the period does. It is
     * never the machine's: every period but {@link SeriesPeriod#FOREVER} needs one.
     *
     * @param zone a region such as {@code Europe/Madrid} or {@code UTC}, and no offset
     * @return this builder
     * @throws InvalidArgumentException if {@code zone} is an offset
     */
    public SeriesBuilder zone(ZoneId zone) {
        this.zone = region("series", name, zone);
        return this;
    }

    /** Returns a zone unless it is an offset. */
    static ZoneId region(String what, String name, ZoneId zone) {
        if (requireNonNull(zone, "zone") instanceof ZoneOffset) {
            throw new InvalidArgumentException("zone=" + zone + " of " + what + " \"" + Text.printable(name)
                    + "\" is an offset, which Python cannot read and which knows no summer time: write"
                    + " ZoneId.of(\"UTC\"), or a region such as ZoneId.of(\"Europe/Madrid\")");
        }
        return zone;
    }

    /**
     * Counts for one key, such as a shop. Each key has numbers of its own.
     *
     * @param key 1 to 64 visible ASCII characters without {@literal @}, a hyphen neither first nor last
     * @return this builder
     */
    public SeriesBuilder key(String key) {
        this.key = requireNonNull(key, "key");
        return this;
    }

    /**
     * Sets the least that a lease takes, and so the least that a crash loses. Default: 1.
     *
     * @param step numbers per lease, 1 to 2<sup>30</sup>
     * @return this builder
     */
    public SeriesBuilder step(long step) {
        this.step = step;
        return this;
    }

    /**
     * Sets the format of the numbers: see {@link SeriesNumber#text()}. It must show the period, and the key if there is
     * one.
     *
     * @param format the format
     * @return this builder
     */
    public SeriesBuilder format(IdFormat format) {
        this.format = requireNonNull(format, "format");
        return this;
    }

    /**
     * Sets the clock that {@link Series#next()} reads, for tests. Default: the generator's, or this machine's clock,
     * which is not believed if it is ahead of the database's.
     *
     * <p>With a clock of the application's, the numbers of the next period are not leased ahead.
     *
     * @param clock such as a {@link java.time.Clock} or a {@link VirtualClock}
     * @return this builder
     */
    public SeriesBuilder clock(InstantSource clock) {
        this.clock = requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Returns the series, without I/O: its first number stores the period and the zone, or compares them with those
     * that are stored.
     *
     * @return the series
     * @throws InvalidArgumentException if an option is out of range or missing, or if this generator has the series
     *     with another period or zone
     * @throws InvalidConfigException if the format does not show the period or the key, or shows what the series does
     *     not have
     * @throws ClosedException after {@link SegmentGenerator#close()}
     */
    public Series open() {
        return new Series(this, named("series", name, period));
    }

    /** Returns a period unless it is missing. */
    static SeriesPeriod named(String what, String name, @Nullable SeriesPeriod period) {
        if (period == null) {
            throw new InvalidArgumentException(what + " \"" + Text.printable(name)
                    + "\" has no period: call period(SeriesPeriod.DAY), MONTH, YEAR or FOREVER");
        }
        return period;
    }
}
