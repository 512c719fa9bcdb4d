package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SnowflakeStats;
import io.github.leafmint.TagStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures that are meters: those of {@code tests/vectors/meters.json}, in its order. */
final class Figures {
    static final List<Figure<TagStats>> OF_TAGS = List.of(
            counter("leafmint.ids.issued", "ids handed out", TagStats::issued),
            counter("leafmint.ids.leased", "ids taken from the store", TagStats::leased),
            counter("leafmint.ids.given_back", "ids given back at the close", TagStats::givenBack),
            gauge(
                    "leafmint.ids.unused",
                    "ids taken from the store, neither handed out nor given back",
                    TagStats::unused),
            gauge(
                    "leafmint.ids.highest_leased",
                    "highest id that this process has leased; 0 before the first lease",
                    TagStats::highestLeased),
            seconds(
                    "leafmint.supply",
                    "how long the unused ids last at the current rate; absent if the tag is not in use",
                    tag -> orNone(tag.supplySeconds())),
            counter("leafmint.refills", "leases that arrived", TagStats::refills),
            counter("leafmint.refill.failures", "attempts that failed", TagStats::refillFailures),
            seconds(
                    "leafmint.refill.duration",
                    "average round trip of a lease; absent before the first",
                    tag -> orNone(tag.refillMillis()) / 1000),
            counter("leafmint.waits", "calls that had to wait", TagStats::waits));

    private Figures() {}

    /** Makes those of snowflakes. No constant: few applications have both, and the start would pay for both. */
    static List<Figure<SnowflakeStats>> ofSnowflakes() {
        return List.of(
                gauge(
                        "leafmint.worker_id",
                        "the current worker id; absent before the first id and while a lost lease is replaced",
                        flakes -> orNone(flakes.workerId())),
                seconds(
                        "leafmint.horizon",
                        "how far ahead time is reserved; absent without a worker id",
                        flakes -> orNone(flakes.horizonSeconds())),
                seconds(
                        "leafmint.clock_lead",
                        "how far ids are ahead of the wall clock",
                        flakes -> flakes.clockLeadMillis() / 1000.0),
                counter("leafmint.snowflake.waits", "calls that had to wait", SnowflakeStats::waits),
                counter("leafmint.leases.lost", "leases that another process took", SnowflakeStats::leasesLost));
    }

    private static <S> Figure<S> counter(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, true, null, meaning, value);
    }

    private static <S> Figure<S> gauge(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, false, null, meaning, value);
    }

    private static <S> Figure<S> seconds(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, false, "seconds", meaning, value);
    }

    private static double orNone(Number value) {
        return value == null ? Double.NaN : value.doubleValue();
    }

    /**
     * One of the figures of {@code stats()} as a meter.
     *
     * @param <S> the statistics that it is part of
     * @param name the name of the meter
     * @param isCounter whether it only grows
     * @param unit the base unit; {@code null} for none
     * @param meaning the description
     * @param value reads it; not a number if there is no value now
     */
    record Figure<S>(String name, boolean isCounter, String unit, String meaning, ToDoubleFunction<S> value) {
        /** Registers the meter, which holds the generator weakly. {@code read} must not hold it. */
        <G> Meter register(MeterRegistry registry, Tags tags, G generator, Function<G, S> read) {
            ToDoubleFunction<G> number = each -> {
                S stats = read.apply(each);
                return stats == null ? Double.NaN : value.applyAsDouble(stats);
            };
            return isCounter
                    ? FunctionCounter.builder(name, generator, number)
                            .tags(tags)
                            .baseUnit(unit)
                            .description(meaning)
                            .register(registry)
                    : Gauge.builder(name, generator, number)
                            .tags(tags)
                            .baseUnit(unit)
                            .description(meaning)
                            .register(registry);
        }
    }
}
