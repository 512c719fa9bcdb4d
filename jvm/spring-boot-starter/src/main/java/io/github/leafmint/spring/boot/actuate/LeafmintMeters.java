package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentStats;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeStats;
import io.github.leafmint.TagStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the meters of every generator, with the names, units and tags of Python's metrics.
 *
 * <p>Meters hold their generator weakly: a closed generator shows its last values, one that is dropped shows none.
 */
final class LeafmintMeters implements MeterBinder {
    private static final Logger LOG = LoggerFactory.getLogger("io.github.leafmint");

    private final Map<String, WeakReference<SegmentGenerator>> segments;
    private final Map<String, WeakReference<SnowflakeGenerator>> snowflakes;

    LeafmintMeters(Generators generators) {
        segments = weak(generators.segments());
        snowflakes = weak(generators.snowflakes());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (var each : segments.entrySet()) {
            SegmentGenerator generator = each.getValue().get();
            if (generator != null) {
                var meters = new TagMeters(registry, each.getKey());
                generator.onTag(tag -> meters.add(generator, tag));
            }
        }
        for (var each : snowflakes.entrySet()) {
            SnowflakeGenerator generator = each.getValue().get();
            if (generator != null) {
                addSnowflakes(registry, Tags.of("generator", each.getKey()), generator);
            }
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
     * The meters of the tags of one generator in one registry. They are registered when a tag is asked for, and removed
     * if the generator forgets it. A client that asks for names that it invents gets none of them for long.
     */
    static final class TagMeters {
        /** Meters of tags that have never leased: of that many at most, since clients may choose their names. */
        static final int MOST_WITHOUT_LEASE = 1000;

        private final MeterRegistry registry;
        private final String generatorName;
        private final Map<String, List<Meter>> meters = new HashMap<>();

        /** The tags that had not leased when they were last looked at, oldest first. */
        private final Set<String> withoutLease = new LinkedHashSet<>();

        private final RecentStats<SegmentGenerator, SegmentStats> recent = new RecentStats<>(this::ask);

        TagMeters(MeterRegistry registry, String generatorName) {
            this.registry = registry;
            this.generatorName = generatorName;
        }

        /** Registers the meters of a tag, unless they are. */
        void add(SegmentGenerator generator, String tag) {
            synchronized (recent) {
                // Statistics from before this tag would remove its meters.
                recent.forget();
                if (meters.containsKey(tag)) {
                    return;
                }
                if (withoutLease.size() >= MOST_WITHOUT_LEASE) {
                    withoutLease.removeAll(leased(generator.stats()));
                    removeOldest();
                }
                meters.put(tag, register(generator, tag));
                withoutLease.add(tag);
            }
        }

        /** Removes half of what has not leased: the others are read, and then those are found that lease later. */
        private void removeOldest() {
            var oldest = withoutLease.iterator();
            for (int more = withoutLease.size() - MOST_WITHOUT_LEASE / 2; more > 0; more--) {
                meters.remove(oldest.next()).forEach(registry::remove);
                oldest.remove();
            }
        }

        private List<Meter> register(SegmentGenerator generator, String tag) {
            Tags tags = Tags.of("generator", generatorName, "tag", tag);
            try {
                return Figures.OF_TAGS.stream()
                        .map(figure -> figure.register(registry, tags, generator, each -> read(each, tag)))
                        .toList();
            } catch (IllegalArgumentException conflict) {
                // A meter of the application must not keep a tag from minting.
                LOG.warn("the meters of biz_tag \"{}\" could not be registered: {}", tag, conflict.getMessage());
                return List.of();
            }
        }

        private TagStats read(SegmentGenerator generator, String tag) {
            return recent.read(generator).tags().get(tag);
        }

        private SegmentStats ask(SegmentGenerator generator) {
            SegmentStats stats = generator.stats();
            meters.entrySet().removeIf(entry -> {
                boolean isForgotten = !stats.tags().containsKey(entry.getKey());
                if (isForgotten) {
                    entry.getValue().forEach(registry::remove);
                    withoutLease.remove(entry.getKey());
                }
                return isForgotten;
            });
            for (String tag : leased(stats)) {
                meters.computeIfAbsent(tag, removed -> register(generator, tag));
            }
            return stats;
        }

        private static Set<String> leased(SegmentStats stats) {
            return stats.tags().entrySet().stream()
                    .filter(tag -> tag.getValue().leased() > 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
        }
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
