package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentStats;
import io.github.leafmint.TagStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The meters of the tags of one generator in one registry. They are registered when a tag is asked for, and removed if
 * the generator forgets it: it does so with tags that have never leased, if there are very many.
 */
final class TagMeters {
    private final MeterRegistry registry;
    private final String generatorName;
    private final Map<String, List<Meter>> meters = new HashMap<>();
    private final Recent<SegmentGenerator, SegmentStats> recent = new Recent<>(this::ask);

    TagMeters(MeterRegistry registry, String generatorName) {
        this.registry = registry;
        this.generatorName = generatorName;
    }

    /** Registers the meters of a tag, unless they are. */
    void add(SegmentGenerator generator, String tag) {
        synchronized (recent) {
            // Statistics from before this tag would remove its meters.
            recent.forget();
            meters.computeIfAbsent(tag, absent -> register(generator, tag));
        }
    }

    private List<Meter> register(SegmentGenerator generator, String tag) {
        Tags tags = Tags.of("generator", generatorName, "tag", tag);
        return Figures.OF_TAGS.stream()
                .map(figure -> figure.register(registry, tags, generator, each -> read(each, tag)))
                .toList();
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
            }
            return isForgotten;
        });
        return stats;
    }
}
