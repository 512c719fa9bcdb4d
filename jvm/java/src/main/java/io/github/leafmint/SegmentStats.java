package io.github.leafmint;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The statistics of a segment generator at one moment.
 *
 * <pre>{@code
 * ids.stats().tags().forEach((tag, stats) -> System.out.println(tag + ": " + stats.issued() + " ids"));
 * }</pre>
 *
 * @param scope the store, without credentials, and which processes share its ids
 * @param tags the tags used so far, by name, sorted
 */
public record SegmentStats(String scope, Map<String, TagStats> tags) {
    /** Reads what {@link Native#segmentStats} returns. */
    static SegmentStats read(Object[] both) {
        var texts = (String[]) both[0];
        var numbers = (long[]) both[1];
        var tags = new LinkedHashMap<String, TagStats>();
        for (int text = 1, number = 0; text < texts.length; text += 2, number += TagStats.NUMBERS) {
            tags.put(texts[text], TagStats.read(numbers, number, texts[text + 1]));
        }
        return new SegmentStats(texts[0], Collections.unmodifiableMap(tags));
    }
}
