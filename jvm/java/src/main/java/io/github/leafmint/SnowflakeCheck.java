package io.github.leafmint;

import java.time.Instant;

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
        Long clockSkewMillis) {
    static SnowflakeCheck read(String[] texts) {
        return new SnowflakeCheck(
                texts[0],
                texts[1],
                Boolean.parseBoolean(texts[2]),
                texts[3],
                RecordReader.time(texts[4]),
                RecordReader.number(texts[5]),
                RecordReader.number(texts[6]),
                RecordReader.number(texts[7]));
    }
}
