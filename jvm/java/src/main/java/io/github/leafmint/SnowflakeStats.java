package io.github.leafmint;

import org.jspecify.annotations.Nullable;

/**
 * The statistics of a snowflake generator at one moment.
 *
 * <pre>{@code
 * SnowflakeStats stats = flakes.stats();
 * if (stats.lastError() != null) {
 *     warn("worker " + stats.workerId() + ": " + stats.lastError());
 * }
 * }</pre>
 *
 * @param workerId the current worker id; {@code null} before the first id and while a lost lease is being replaced
 * @param holder the kind of holder
 * @param scope the holder, without credentials, and which processes share its worker ids
 * @param horizonSeconds how far ahead time is reserved, in seconds; {@code null} without a worker id
 * @param clockLeadMillis how far ids are ahead of the wall clock, in milliseconds
 * @param waits the number of calls that had to wait
 * @param leasesLost the number of leases that another process took
 * @param lastError the last failure, without credentials; {@code null} if there was none
 */
public record SnowflakeStats(
        @Nullable Long workerId,
        String holder,
        String scope,
        @Nullable Double horizonSeconds,
        long clockLeadMillis,
        long waits,
        long leasesLost,
        @Nullable String lastError) {
    /** Reads what {@link Native#snowflakeStats} returns. */
    static SnowflakeStats read(@Nullable String[] texts) {
        return new SnowflakeStats(
                RecordReader.number(texts[0]),
                texts[1],
                texts[2],
                texts[3] == null ? null : Double.valueOf(texts[3]),
                Long.parseLong(texts[4]),
                Long.parseLong(texts[5]),
                Long.parseLong(texts[6]),
                texts[7]);
    }
}
