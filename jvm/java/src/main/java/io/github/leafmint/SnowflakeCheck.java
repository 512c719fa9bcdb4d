package io.github.leafmint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link SnowflakeGenerator#check()}.
 *
 * <pre>{@code
 * SnowflakeCheck found = flakes.check();
 * System.out.println(found.freeWorkers() + " worker ids are free in " + found.scope());
 * }</pre>
 *
 * @param scope the holder, without credentials, and which processes share its worker ids
 * @param holder the kind of holder, as in the statistics
 * @param isNew whether no process has used the namespace yet: the first id makes its tables or its directory
 * @param layout the layout, as the holder keeps it
 * @param runsOut when the time bits run out
 * @param workers the number of worker ids that this generator may take
 * @param freeWorkers the number of those that no process holds now
 * @param clockSkewMillis how far the database's clock is ahead of this host's; {@code null} without a database
 */
public record SnowflakeCheck(
        String scope,
        String holder,
        boolean isNew,
        String layout,
        Instant runsOut,
        long workers,
        long freeWorkers,
        @Nullable Long clockSkewMillis) {
    static SnowflakeCheck read(@Nullable String[] texts) {
        return new SnowflakeCheck(
                texts[0],
                texts[1],
                Boolean.parseBoolean(texts[2]),
                texts[3],
                Instant.ofEpochMilli(Long.parseLong(texts[4])),
                Long.parseLong(texts[5]),
                Long.parseLong(texts[6]),
                RecordReader.number(texts[7]));
    }
}
