package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.Leafmint;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.SnowflakeStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Registers the meters of every generator, with the names, units and tags of Python's metrics.
 *
 * <p>Meters hold their generator weakly: a closed generator shows its last values, one that is dropped shows none.
 */
public final class LeafmintMeters implements MeterBinder {
    private static final int MAX_TAGS = 100;

    private final Map<String, WeakReference<SegmentGenerator>> segments;
    private final Map<String, WeakReference<SnowflakeGenerator>> snowflakes;
    private final int maxTags;

    /**
     * Makes the meters of generators, each under the name that they show, with meters of their own for the first 100
     * tags of each.
     *
     * @param segments the segment generators
     * @param snowflakes the snowflake generators
     */
    public LeafmintMeters(Map<String, SegmentGenerator> segments, Map<String, SnowflakeGenerator> snowflakes) {
        this(segments, snowflakes, MAX_TAGS);
    }

    /**
     * Makes the meters of generators, each under the name that they show.
     *
     * @param segments the segment generators
     * @param snowflakes the snowflake generators
     * @param maxTags how many tags of a generator have meters of their own: those that lease first; the others share
     *     the tag {@code other}
     */
    public LeafmintMeters(
            Map<String, SegmentGenerator> segments, Map<String, SnowflakeGenerator> snowflakes, int maxTags) {
        this.segments = weak(segments);
        this.snowflakes = weak(snowflakes);
        this.maxTags = maxTags;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (var each : segments.entrySet()) {
            SegmentGenerator generator = each.getValue().get();
            if (generator != null) {
                addInfo(
                        registry,
                        Tags.of("generator", each.getKey(), "scope", generator.scope(), "namespace", ""),
                        generator);
                addSegments(registry, Tags.of("generator", each.getKey()), generator);
                var meters = new TagMeters(registry, each.getKey(), maxTags);
                generator.onTag(tag -> meters.add(generator, tag));
            }
        }
        for (var each : snowflakes.entrySet()) {
            SnowflakeGenerator generator = each.getValue().get();
            if (generator != null) {
                SnowflakeStats stats = generator.stats();
                addInfo(
                        registry,
                        Tags.of("generator", each.getKey(), "scope", stats.scope(), "namespace", stats.namespace()),
                        generator);
                addSnowflakes(registry, Tags.of("generator", each.getKey()), generator);
            }
        }
    }

    private static void addInfo(MeterRegistry registry, Tags tags, Object generator) {
        Gauge.builder("leafmint.info", generator, each -> 1)
                .tags(tags.and("version", Leafmint.version()))
                .description("1; the labels say which version mints, from which store or holder")
                .register(registry);
    }

    private static void addSegments(MeterRegistry registry, Tags tags, SegmentGenerator generator) {
        var recent = new RecentStats<>(SegmentGenerator::stats);
        Figures.STORE_UP.register(registry, tags, generator, recent::read);
        for (String reason : generator.stats().failures().keySet()) {
            Figures.failures(reason).register(registry, tags.and("reason", reason), generator, recent::read);
        }
    }

    private static void addSnowflakes(MeterRegistry registry, Tags tags, SnowflakeGenerator generator) {
        var recent = new RecentStats<>(SnowflakeGenerator::stats);
        for (Figures.Figure<SnowflakeStats> figure : Figures.ofSnowflakes()) {
            figure.register(registry, tags, generator, recent::read);
        }
    }

    private static <T> Map<String, WeakReference<T>> weak(Map<String, T> generators) {
        var weak = new LinkedHashMap<String, WeakReference<T>>();
        for (Map.Entry<String, T> generator : generators.entrySet()) {
            weak.put(generator.getKey(), new WeakReference<>(generator.getValue()));
        }
        return weak;
    }

    /**
     * Remembers the statistics of a generator for a moment, since a scrape reads each meter by itself. Does not hold
     * the generator.
     */
    static final class RecentStats<G, S> {
        /** Longer than a scrape takes, shorter than the time between two. */
        private static final long NANOS = 100_000_000;

        private final Function<G, S> ask;
        private final LongSupplier nanoTime;
        private S stats;
        private long asked;

        RecentStats(Function<G, S> ask) {
            this(ask, System::nanoTime);
        }

        RecentStats(Function<G, S> ask, LongSupplier nanoTime) {
            this.ask = ask;
            this.nanoTime = nanoTime;
        }

        /** Returns statistics that are at most 0.1 seconds old. */
        synchronized S read(G generator) {
            if (stats == null || nanoTime.getAsLong() - asked > NANOS) {
                stats = ask.apply(generator);
                asked = nanoTime.getAsLong();
            }
            return stats;
        }

        /** Makes the next read ask the generator. */
        synchronized void forget() {
            stats = null;
        }
    }
}
