package io.github.leafmint;

import org.jspecify.annotations.Nullable;

/**
 * The statistics of one tag at one moment.
 *
 * <pre>{@code
 * TagStats order = ids.bizTag("order").stats();
 * if (order.supplySeconds() != null && order.supplySeconds() < 60) {
 *     warn("less than a minute of ids in hand: " + order.lastError());
 * }
 * }</pre>
 *
 * @param issued the number of ids handed out
 * @param leased the number of ids taken from the store
 * @param unused the number of ids taken from the store that were neither handed out nor given back
 * @param givenBack the number of ids given back at the close
 * @param highestLeased the highest id that this process has leased, with the highest gene; 0 before the first lease
 * @param supplySeconds how long the ids in hand last at the current rate, in seconds; {@code null} if none are being
 *     used
 * @param step the {@code step} column as last read; 0 before the first lease
 * @param refills the number of leases that succeeded
 * @param refillFailures the number of leases that failed
 * @param failuresInARow the number of leases that failed since the last one that succeeded, and are repeated in the
 *     background; at least 1 while the store is away, 0 after a refusal of this tag alone
 * @param refillMillis the average round trip of a lease, in milliseconds; {@code null} before the first
 * @param waits the number of calls that had to wait
 * @param lastError the last failure, without credentials; {@code null} if there was none
 */
public record TagStats(
        long issued,
        long leased,
        long unused,
        long givenBack,
        long highestLeased,
        @Nullable Double supplySeconds,
        long step,
        long refills,
        long refillFailures,
        long failuresInARow,
        @Nullable Double refillMillis,
        long waits,
        @Nullable String lastError) {
    /** The number of components that the core passes as numbers: all but the last. */
    static final int NUMBERS = 12;

    /** Reads the numbers from index {@code at} on. */
    static TagStats read(long[] numbers, int at, @Nullable String lastError) {
        return new TagStats(
                numbers[at],
                numbers[at + 1],
                numbers[at + 2],
                numbers[at + 3],
                numbers[at + 4],
                measure(numbers[at + 5]),
                numbers[at + 6],
                numbers[at + 7],
                numbers[at + 8],
                numbers[at + 9],
                measure(numbers[at + 10]),
                numbers[at + 11],
                lastError);
    }

    private static @Nullable Double measure(long bits) {
        double measure = Double.longBitsToDouble(bits);
        return Double.isNaN(measure) ? null : measure;
    }
}
