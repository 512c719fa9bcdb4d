package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
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
        forEach(segments, (name, generator) -> {
            var meters = new TagMeters(registry, name);
            generator.onTag(tag -> add(meters, generator, tag));
        });
        forEach(snowflakes, (name, generator) -> {
            var recent = new Recent<>(SnowflakeGenerator::stats);
            Figures.ofSnowflakes()
                    .forEach(figure -> figure.register(registry, Tags.of("generator", name), generator, recent::read));
        });
    }

    private static void add(TagMeters meters, SegmentGenerator generator, String tag) {
        try {
            meters.add(generator, tag);
        } catch (IllegalArgumentException conflict) {
            // A meter of the application must not keep a tag from minting.
            LOG.warn("the meters of biz_tag \"{}\" could not be registered: {}", tag, conflict.getMessage());
        }
    }

    private static <T> Map<String, WeakReference<T>> weak(Map<String, T> generators) {
        var weak = new LinkedHashMap<String, WeakReference<T>>();
        generators.forEach((name, generator) -> weak.put(name, new WeakReference<>(generator)));
        return weak;
    }

    private static <T> void forEach(Map<String, WeakReference<T>> weak, BiConsumer<String, T> action) {
        weak.forEach((name, reference) -> {
            T generator = reference.get();
            if (generator != null) {
                action.accept(name, generator);
            }
        });
    }
}
