package io.github.leafmint;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds what became of the ids of a generator, at one moment.
 *
 * <pre>{@code
 * ids.stats().tags().forEach((tag, stats) -> System.out.println(tag + ": " + stats.issued() + " ids"));
 * }</pre>
 *
 * @param scope the store, without credentials, and who shares its ids
 * @param tags the tags used so far, by name, sorted
 */
public record SegmentStats(String scope, Map<String, TagStats> tags) {
    static SegmentStats read(String[] texts) {
        var tags = new LinkedHashMap<String, TagStats>();
        for (int at = 1; at < texts.length; at += 1 + TagStats.FIGURES) {
            tags.put(texts[at], TagStats.read(texts, at + 1));
        }
        return new SegmentStats(texts[0], Collections.unmodifiableMap(tags));
    }
}
