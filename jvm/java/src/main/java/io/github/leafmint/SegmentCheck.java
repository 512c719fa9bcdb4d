package io.github.leafmint;

import java.time.Duration;

/**
 * The result of {@link SegmentGenerator#check()}.
 *
 * <pre>{@code
 * SegmentCheck found = ids.check();
 * System.out.println(found.tags() + " tags in " + found.scope());
 * }</pre>
 *
 * @param scope the store, without credentials, and which processes share its ids
 * @param isNew whether there is no table or file yet: the first id makes it
 * @param tags the number of tags
 * @param createsTags whether the account may create tags
 * @param roundTrip how long the store took to answer, with connecting
 */
public record SegmentCheck(String scope, boolean isNew, long tags, boolean createsTags, Duration roundTrip) {
    static SegmentCheck read(String[] texts) {
        return new SegmentCheck(
                texts[0],
                Boolean.parseBoolean(texts[1]),
                Long.parseLong(texts[2]),
                Boolean.parseBoolean(texts[3]),
                Duration.ofNanos(Long.parseLong(texts[4])));
    }
}
