package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentStats;
import io.github.leafmint.SnowflakeStats;
import io.github.leafmint.TagStats;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of all generators at one moment, for either generation of Spring Boot. Reading it does no I/O.
 *
 * @param isInService false if a tag in use or a worker id has nothing in hand and its last lease failed
 * @param details what each generator has in hand, by its name
 */
record LeafmintHealth(boolean isInService, Map<String, Object> details) {
    static LeafmintHealth of(Generators generators) {
        var details = new LinkedHashMap<String, Object>();
        boolean isInService = true;
        for (var segments : generators.segments().entrySet()) {
            SegmentStats stats = segments.getValue().stats();
            details.put(segments.getKey(), describe(stats));
            isInService &= stats.tags().values().stream().noneMatch(LeafmintHealth::isOut);
        }
        for (var snowflakes : generators.snowflakes().entrySet()) {
            SnowflakeStats stats = snowflakes.getValue().stats();
            details.put(snowflakes.getKey(), describe(stats));
            isInService &= !isOut(stats);
        }
        return new LeafmintHealth(isInService, details);
    }

    private static boolean isOut(TagStats tag) {
        boolean isEmpty = tag.unused() == 0 || (tag.supplySeconds() != null && tag.supplySeconds() == 0);
        // An outage counts for every tag. One that no call has asked for yet must not end the service of the others.
        boolean isInUse = tag.issued() > 0 || tag.waits() > 0 || tag.refillFailures() > 0;
        return isInUse && isEmpty && tag.failuresInARow() > 0;
    }

    private static boolean isOut(SnowflakeStats stats) {
        boolean isEmpty = stats.workerId() == null || stats.horizonSeconds() <= 0;
        return isEmpty && stats.lastError() != null;
    }

    private static Map<String, Object> describe(SegmentStats stats) {
        var tags = new LinkedHashMap<String, Object>();
        stats.tags().forEach((name, tag) -> {
            var shown = new LinkedHashMap<String, Object>();
            shown.put("inService", !isOut(tag));
            putIfPresent(shown, "supplySeconds", tag.supplySeconds());
            putIfPresent(shown, "lastError", tag.lastError());
            tags.put(name, shown);
        });
        var shown = new LinkedHashMap<String, Object>();
        shown.put("scope", stats.scope());
        shown.put("tags", tags);
        return shown;
    }

    private static Map<String, Object> describe(SnowflakeStats stats) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("scope", stats.scope());
        shown.put("inService", !isOut(stats));
        putIfPresent(shown, "workerId", stats.workerId());
        putIfPresent(shown, "horizon", LeafmintDescriptors.horizonOf(stats));
        putIfPresent(shown, "lastError", stats.lastError());
        return shown;
    }

    private static void putIfPresent(Map<String, Object> shown, String name, Object value) {
        if (value != null) {
            shown.put(name, value);
        }
    }
}
