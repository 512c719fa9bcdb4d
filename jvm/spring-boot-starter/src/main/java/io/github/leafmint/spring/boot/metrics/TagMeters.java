package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.metrics.LeafmintMeters.RecentStats;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.TagStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of the tags of one generator in one registry, whose number is bounded, since clients may choose the names.
 *
 * <p>They are registered when a tag is asked for, and removed if the generator forgets it. The first tags that lease
 * keep them; the others share those of the tag {@code other}. A tag without ids loses its meters to newer ones.
 */
final class TagMeters {
    /** The tag of the meters that tags share. */
    static final String OTHER = "other";

    private static final Logger LOG = LoggerFactory.getLogger("io.github.leafmint");

    private final MeterRegistry registry;
    private final String generatorName;
    private final int most;
    private final Map<String, List<Meter>> meters = new HashMap<>();
    private boolean conflicts;

    /** The tags that had not leased when they were last looked at, oldest first. */
    private final Set<String> withoutLease = new LinkedHashSet<>();

    /** The tags that have leased and keep their meters. */
    private final Set<String> own = new HashSet<>();

    /** The tags that share meters. They never leave, or the sums of counters would fall. */
    private final Set<String> others = new HashSet<>(Set.of(OTHER));

    private final RecentStats<SegmentGenerator, SegmentStats> recent = new RecentStats<>(this::ask);

    /** At most {@code most} tags that have leased have meters of their own, and as many that have not. */
    TagMeters(MeterRegistry registry, String generatorName, int most) {
        this.registry = registry;
        this.generatorName = generatorName;
        this.most = most;
    }

    /** Registers the meters of a tag, unless they are. */
    void add(SegmentGenerator generator, String tag) {
        synchronized (recent) {
            // Statistics from before this tag would remove its meters.
            recent.forget();
            if (meters.containsKey(tag) || others.contains(tag) && !tag.equals(OTHER)) {
                return;
            }
            if (withoutLease.size() >= most) {
                settle(generator, generator.stats());
                removeOldest();
            }
            meters.put(tag, register(generator, tag));
            if (!tag.equals(OTHER)) {
                withoutLease.add(tag);
            }
        }
    }

    /** Removes half of what has not leased: the others are read, and then those are found that lease later. */
    private void removeOldest() {
        var oldest = withoutLease.iterator();
        for (int more = withoutLease.size() - most / 2; more > 0; more--) {
            remove(oldest.next());
            oldest.remove();
        }
    }

    private void remove(String tag) {
        List<Meter> removed = meters.remove(tag);
        if (removed != null) {
            removed.forEach(registry::remove);
        }
    }

    private List<Meter> register(SegmentGenerator generator, String tag) {
        Tags tags = Tags.of("generator", generatorName, "tag", tag);
        try {
            return Figures.OF_TAGS.stream()
                    .map(figure -> figure.registerSum(registry, tags, generator, each -> read(each, tag)))
                    .toList();
        } catch (IllegalArgumentException conflict) {
            // A meter of the application must not keep a tag from minting.
            if (!conflicts) {
                conflicts = true;
                LOG.warn("meters could not be registered, first those of tag \"{}\": {}", tag, conflict.getMessage());
            }
            return List.of();
        }
    }

    private Collection<TagStats> read(SegmentGenerator generator, String tag) {
        Map<String, TagStats> stats = recent.read(generator).tags();
        if (!tag.equals(OTHER)) {
            return Optional.ofNullable(stats.get(tag)).stream().toList();
        }
        return stats.entrySet().stream()
                .filter(each -> others.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private SegmentStats ask(SegmentGenerator generator) {
        SegmentStats stats = generator.stats();
        Set<String> known = stats.tags().keySet();
        for (String tag : List.copyOf(meters.keySet())) {
            boolean isShared = tag.equals(OTHER) && others.size() > 1;
            if (!known.contains(tag) && !isShared) {
                remove(tag);
                withoutLease.remove(tag);
            }
        }
        settle(generator, stats);
        return stats;
    }

    /** Decides for each tag that has leased meanwhile whether it keeps its meters. */
    private void settle(SegmentGenerator generator, SegmentStats stats) {
        stats.tags().forEach((tag, figures) -> {
            if (figures.leased() > 0) {
                withoutLease.remove(tag);
                if (own.size() < most && !others.contains(tag)) {
                    own.add(tag);
                }
                if (!own.contains(tag) && others.add(tag)) {
                    share(tag);
                }
                meters.computeIfAbsent(own.contains(tag) ? tag : OTHER, missing -> register(generator, missing));
            }
        });
    }

    private void share(String tag) {
        remove(tag);
        if (others.size() == 2) {
            LOG.warn(
                    "more than {} tags of {} have ids: from tag \"{}\" on they share the meters of the tag \"{}\", see"
                            + " leafmint.metrics.max-tags",
                    most,
                    generatorName,
                    tag,
                    OTHER);
        }
    }
}
