package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of all generators at one moment, for either generation of Spring Boot. Reading it does no I/O.
 *
 * @param isInService false if a generator can serve no id
 * @param details the status and the unused ids of each generator and tag, by name
 */
record LeafmintHealth(boolean isInService, Map<String, Object> details) {
    static LeafmintHealth of(Generators generators) {
        var details = new LinkedHashMap<String, Object>();
        boolean isInService = true;
        for (var segments : generators.segments().entrySet()) {
            SegmentStats stats = segments.getValue().stats();
            details.put(segments.getKey(), describe(stats));
            isInService &= !isOut(stats);
        }
        for (var snowflakes : generators.snowflakes().entrySet()) {
            SnowflakeStats stats = snowflakes.getValue().stats();
            details.put(snowflakes.getKey(), describe(stats));
            isInService &= !isOut(stats);
        }
        return new LeafmintHealth(isInService, details);
    }

    /** What the store refuses for one tag alone is no failure in a row: if a tag has none, the others fail alone. */
    private static boolean isOut(SegmentStats stats) {
        return stats.tags().values().stream().anyMatch(LeafmintHealth::isOut)
                && stats.tags().values().stream().allMatch(tag -> tag.failuresInARow() > 0);
    }

    private static boolean isOut(TagStats tag) {
        boolean isEmpty = tag.unused() == 0 || Duration.ZERO.equals(tag.supply());
        // An outage counts for every tag. One that no call has asked for yet must not end the service of the others.
        boolean isInUse = tag.issued() > 0 || tag.waits() > 0 || tag.refillFailures() > 0;
        return isInUse && isEmpty && tag.failuresInARow() > 0;
    }

    private static boolean isOut(SnowflakeStats stats) {
        boolean isEmpty = stats.workerId() == null || stats.horizon().compareTo(Duration.ZERO) <= 0;
        return isEmpty && !stats.holderUp();
    }

    private static Map<String, Object> describe(SegmentStats stats) {
        var tags = new LinkedHashMap<String, Object>();
        stats.tags().forEach((name, tag) -> {
            var shown = new LinkedHashMap<String, Object>();
            shown.put("status", status(isOut(tag)));
            putIfPresent(shown, "supplySeconds", LeafmintDescriptors.seconds(tag.supply()));
            putIfPresent(shown, "numbersLeft", LeafmintDescriptors.count(tag.numbersLeft()));
            putIfPresent(shown, "numbersLastSeconds", LeafmintDescriptors.seconds(tag.numbersLast()));
            putIfPresent(shown, "lastError", tag.lastError());
            putIfPresent(shown, "lastErrorCode", tag.lastErrorCode());
            putIfPresent(shown, "lastErrorAt", LeafmintDescriptors.time(tag.lastErrorAt()));
            tags.put(name, shown);
        });
        var shown = new LinkedHashMap<String, Object>();
        shown.put("scope", stats.scope());
        shown.put("status", status(isOut(stats)));
        shown.put("storeUp", stats.storeUp());
        putIfPresent(shown, "host", stats.host());
        shown.put("tags", tags);
        return shown;
    }

    private static Map<String, Object> describe(SnowflakeStats stats) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("scope", stats.scope());
        shown.put("status", status(isOut(stats)));
        putIfPresent(shown, "workerId", stats.workerId());
        putIfPresent(shown, "horizon", LeafmintDescriptors.horizonOf(stats));
        putIfPresent(shown, "lastError", stats.lastError());
        putIfPresent(shown, "lastErrorCode", stats.lastErrorCode());
        putIfPresent(shown, "lastErrorAt", LeafmintDescriptors.time(stats.lastErrorAt()));
        return shown;
    }

    private static String status(boolean isOut) {
        return isOut ? "OUT_OF_SERVICE" : "UP";
    }

    private static void putIfPresent(Map<String, Object> shown, String name, Object value) {
        if (value != null) {
            shown.put(name, value);
        }
    }
}
