package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
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
                generator.onTag(tag -> add(meters, generator, tag));
            }
        }
        for (var each : snowflakes.entrySet()) {
            SnowflakeGenerator generator = each.getValue().get();
            if (generator != null) {
                addSnowflakes(registry, Tags.of("generator", each.getKey()), generator);
            }
        }
    }

    private static void add(TagMeters meters, SegmentGenerator generator, String tag) {
        try {
            meters.add(generator, tag);
        } catch (IllegalArgumentException conflict) {
            // A meter of the application must not keep a tag from minting.
            LOG.warn("the meters of biz_tag \"{}\" could not be registered: {}", tag, conflict.getMessage());
        }
    }

    private static void addSnowflakes(MeterRegistry registry, Tags tags, SnowflakeGenerator generator) {
        var recent = new Recent<>(SnowflakeGenerator::stats);
        for (Figure<SnowflakeStats> figure : Figures.ofSnowflakes()) {
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
}
