package io.github.leafmint;

/**
 * Holds how a snowflake generator is doing, at one moment.
 *
 * <p>What there is none of yet, and a failure that there was none of, is {@code null}.
 *
 * <pre>{@code
 * SnowflakeStats stats = flakes.stats();
 * if (stats.lastError() != null) {
 *     warn("worker " + stats.workerId() + ": " + stats.lastError());
 * }
 * }</pre>
 *
 * @param workerId the present worker id; {@code null} before the first id and while a lost lease is replaced
 * @param holder the kind of holder
 * @param scope the holder, without credentials, and who shares its worker ids
 * @param horizonSeconds how far ahead time is reserved, in seconds; {@code null} without a worker id
 * @param clockLeadMillis by how much ids are ahead of the wall clock, in milliseconds
 * @param waits calls that had to wait
 * @param leasesLost leases that somebody else took
 * @param lastError the last failure, as text, without credentials; {@code null} where there was none
 */
public record SnowflakeStats(
        Long workerId,
        String holder,
        String scope,
        Double horizonSeconds,
        long clockLeadMillis,
        long waits,
        long leasesLost,
        String lastError) {
    /** Reads the figures in the order of the core. */
    static SnowflakeStats read(String[] texts) {
        return new SnowflakeStats(
                texts[0] == null ? null : Long.valueOf(texts[0]),
                texts[1],
                texts[2],
                texts[3] == null ? null : Double.valueOf(texts[3]),
                Long.parseLong(texts[4]),
                Long.parseLong(texts[5]),
                Long.parseLong(texts[6]),
                texts[7]);
    }
}
