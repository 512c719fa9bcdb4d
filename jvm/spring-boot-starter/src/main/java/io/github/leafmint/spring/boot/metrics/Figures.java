package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures that are meters: those of {@code tests/vectors/meters.json}, in its order. */
final class Figures {
    static final List<Figure<TagStats>> OF_TAGS = List.of(
            counter("leafmint.ids.issued", "ids handed out", TagStats::issued),
            counter("leafmint.ids.leased", "ids taken from the store", TagStats::leased),
            counter("leafmint.ids.given_back", "ids given back on close", TagStats::givenBack),
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
                    "how long the unused ids last at the current rate; +Inf if the tag is not in use, 0"
                            + " without unused ids",
                    Figures::supplyOf),
            counter("leafmint.refills", "successful leases", TagStats::refills),
            counter("leafmint.refill.failures", "failed attempts to lease", TagStats::refillFailures),
            seconds(
                    "leafmint.refill.average",
                    "average round trip of a lease; 0 before the first",
                    tag -> secondsOr(tag.refillDuration(), 0)),
            counter("leafmint.segment.waits", "calls that had to wait", TagStats::waits),
            counter("leafmint.segment.calls.failed", "calls that ended with an error", TagStats::failedCalls),
            gauge(
                    "leafmint.series.numbers_left",
                    "numbers that fit the format of a series and are not leased in its current period; absent without a"
                            + " format that ends",
                    tag -> orNone(tag.numbersLeft())),
            seconds(
                    "leafmint.series.numbers_last",
                    "how long these numbers last at the pace of the period so far; absent if there is no pace",
                    tag -> secondsOr(tag.numbersLast(), Double.NaN)));

    static final Figure<SegmentStats> STORE_UP = gauge(
            "leafmint.store.up",
            "1 if the store answered the last request, else 0",
            segments -> segments.storeUp() ? 1 : 0);

    private Figures() {}

    /** Makes the meter of the leases that failed for this reason. */
    static Figure<SegmentStats> failures(String reason) {
        return counter(
                "leafmint.store.failures",
                "leases of all tags that failed, by the code of their error",
                segments -> segments.failures().get(reason));
    }

    /** Makes those of snowflakes. No constant: few applications have both, and the start would pay for both. */
    static List<Figure<SnowflakeStats>> ofSnowflakes() {
        return List.of(
                gauge(
                        "leafmint.worker_id",
                        "the current worker id; absent before the first id and while a lost lease is replaced",
                        flakes -> orNone(flakes.workerId())),
                seconds(
                        "leafmint.horizon",
                        "how far ahead time is reserved; 0 without a worker id",
                        flakes -> secondsOr(flakes.horizon(), 0)),
                gauge(
                        "leafmint.holder.up",
                        "1 if the last attempt to take or extend a lease succeeded, else 0",
                        flakes -> flakes.holderUp() ? 1 : 0),
                seconds(
                        "leafmint.clock_lead",
                        "how far ids are ahead of the wall clock",
                        flakes -> secondsOr(flakes.clockLead(), 0)),
                seconds(
                        "leafmint.heartbeat.average",
                        "average round trip of a heartbeat of the lease; 0 before the first",
                        flakes -> secondsOr(flakes.heartbeatDuration(), 0)),
                counter("leafmint.snowflake.waits", "calls that had to wait", SnowflakeStats::waits),
                counter(
                        "leafmint.snowflake.calls.failed",
                        "calls that ended with an error",
                        SnowflakeStats::failedCalls),
                counter(
                        "leafmint.lease.failures",
                        "failed attempts to take or extend a lease",
                        SnowflakeStats::leaseFailures),
                counter("leafmint.leases.lost", "leases that another process took", SnowflakeStats::leasesLost));
    }

    /** Makes those of a holder of worker ids. */
    static List<Figure<SnowflakeCheck>> ofHolders() {
        return List.of(
                gauge("leafmint.worker_ids", "worker ids that the generator may take", SnowflakeCheck::workers),
                gauge(
                        "leafmint.worker_ids.free",
                        "worker ids that it may take and no process holds",
                        SnowflakeCheck::freeWorkers),
                seconds(
                        "leafmint.clock_skew",
                        "how far the clock of the database is ahead of this host's; absent if the worker ids are in no"
                                + " database",
                        found -> secondsOr(found.clockSkew(), Double.NaN)));
    }

    /** Makes the meter of the age of what a store has said. */
    static Figure<Duration> readAge() {
        return seconds(
                "leafmint.store.read.age",
                "time since the gauges of this part were last read; before that, since they were switched on",
                age -> secondsOr(age, Double.NaN));
    }

    private static <S> Figure<S> counter(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, true, false, meaning, value);
    }

    private static <S> Figure<S> gauge(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, false, false, meaning, value);
    }

    private static <S> Figure<S> seconds(String name, String meaning, ToDoubleFunction<S> value) {
        return new Figure<>(name, false, true, meaning, value);
    }

    private static double supplyOf(TagStats tag) {
        return secondsOr(tag.supply(), tag.unused() > 0 ? Double.POSITIVE_INFINITY : 0);
    }

    private static double secondsOr(Duration value, double other) {
        return value == null ? other : value.toSeconds() + value.getNano() / 1e9;
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
     * @param isTime whether it is a time, read in seconds
     * @param meaning the description
     * @param value reads it; not a number if there is no value now
     */
    record Figure<S>(String name, boolean isCounter, boolean isTime, String meaning, ToDoubleFunction<S> value) {
        /** How the values of several tags are joined; those without an entry are added. */
        private static final Map<String, DoubleBinaryOperator> JOINS = Map.of(
                "leafmint.ids.highest_leased", Math::max,
                "leafmint.supply", Math::min,
                "leafmint.refill.average", Math::max,
                "leafmint.series.numbers_left", Math::min,
                "leafmint.series.numbers_last", Math::min,
                "leafmint.store.read.age", Math::max);

        /** Registers the meter, which holds the generator weakly. {@code read} must not hold it. */
        <G> Meter register(MeterRegistry registry, Tags tags, G generator, Function<G, S> read) {
            return registerSum(registry, tags, generator, each -> List.of(read.apply(each)));
        }

        /** Registers the meter of several statistics together. */
        <G> Meter registerSum(MeterRegistry registry, Tags tags, G generator, Function<G, Collection<S>> read) {
            ToDoubleFunction<G> number = each -> join(read.apply(each));
            if (isCounter) {
                return FunctionCounter.builder(name, generator, number)
                        .tags(tags)
                        .description(meaning)
                        .register(registry);
            }
            // In the unit of time that the registry has.
            return isTime
                    ? TimeGauge.builder(name, generator, TimeUnit.SECONDS, number)
                            .tags(tags)
                            .description(meaning)
                            .register(registry)
                    : Gauge.builder(name, generator, number)
                            .tags(tags)
                            .description(meaning)
                            .register(registry);
        }

        private double join(Collection<S> all) {
            return all.stream()
                    .mapToDouble(value)
                    .filter(known -> !Double.isNaN(known))
                    .reduce(JOINS.getOrDefault(name, Double::sum))
                    .orElse(isCounter ? 0 : Double.NaN);
        }
    }
}
