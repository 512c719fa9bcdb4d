package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link GaplessSequence}. Get it from {@link GaplessSequence#named(String)}.
 *
 * <pre>{@code
 * GaplessSequence invoices = GaplessSequence.named("invoice")
 *         .period(SeriesPeriod.YEAR)
 *         .zone(ZoneId.of("Europe/Madrid"))
 *         .key("shop-7")
 *         .format(IdFormat.of("{key}/{year}/{number:5}"))
 *         .build();
 * }</pre>
 */
public final class GaplessSequenceBuilder {
    final String name;

    @Nullable
    SeriesPeriod period;

    @Nullable
    ZoneId zone;

    @Nullable
    String key;

    long start = 1;

    @Nullable
    IdFormat format;

    @Nullable
    InstantSource clock;

    GaplessSequenceBuilder(String name) {
        this.name = name;
    }

    /**
     * Sets the period after which the numbers start again.
     *
     * @param period the period
     * @return this builder
     */
    public GaplessSequenceBuilder period(SeriesPeriod period) {
        this.period = requireNonNull(period, "period");
        return this;
    }

    /**
     * Sets the time zone whose calendar says when a period ends. It is never the machine's: every period but
     * {@link SeriesPeriod#FOREVER} needs one.
     *
     * @param zone a region such as {@code Europe/Madrid} or {@code UTC}, and no offset
     * @return this builder
     * @throws InvalidArgumentException if {@code zone} is an offset
     */
    public GaplessSequenceBuilder zone(ZoneId zone) {
        this.zone = SeriesBuilder.region("sequence", name, zone);
        return this;
    }

    /**
     * Counts for one key, such as a shop. Each key has numbers of its own.
     *
     * @param key 1 to 64 visible ASCII characters without {@literal @}, a hyphen neither first nor last
     * @return this builder
     */
    public GaplessSequenceBuilder key(String key) {
        this.key = requireNonNull(key, "key");
        return this;
    }

    /**
     * Sets the first number of a period that has none. Default: 1.
     *
     * @param start the first number, 1 or more
     * @return this builder
     */
    public GaplessSequenceBuilder start(long start) {
        this.start = start;
        return this;
    }

    /**
     * Sets the format of the numbers: see {@link SeriesNumber#text()}. It must show the period, and the key if there is
     * one.
     *
     * @param format the format
     * @return this builder
     */
    public GaplessSequenceBuilder format(IdFormat format) {
        this.format = requireNonNull(format, "format");
        return this;
    }

    /**
     * Sets the clock that calls without a date read, for tests. Default: this machine's clock.
     *
     * @param clock such as a {@link java.time.Clock} or a {@link VirtualClock}
     * @return this builder
     */
    public GaplessSequenceBuilder clock(InstantSource clock) {
        this.clock = requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Returns the sequence, without I/O.
     *
     * @return the sequence
     * @throws InvalidArgumentException if an option is out of range or missing
     * @throws InvalidConfigException if the format does not show the period or the key, or shows what the sequence does
     *     not have
     */
    public GaplessSequence build() {
        return new GaplessSequence(this, SeriesBuilder.named("sequence", name, period));
    }
}
