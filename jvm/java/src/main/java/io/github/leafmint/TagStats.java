package io.github.leafmint;

/**
 * Holds what became of the ids of one tag, at one moment.
 *
 * <p>Measures that there are none of yet, and a failure that there was none of, are {@code null}.
 *
 * <pre>{@code
 * TagStats order = ids.stats().tags().get("order");
 * if (order.supplySeconds() != null && order.supplySeconds() < 60) {
 *     warn("less than a minute of ids in hand: " + order.lastError());
 * }
 * }</pre>
 *
 * @param issued ids handed out
 * @param leased ids taken from the store
 * @param unused ids taken from the store, neither handed out nor given back
 * @param givenBack ids given back at the close
 * @param supplySeconds how long the ids in hand last at the present rate, in seconds; {@code null} where nobody uses
 *     the tag
 * @param step the {@code step} column as last read; 0 before
 * @param refills leases that landed
 * @param refillFailures attempts that failed
 * @param refillMillis a round trip of a lease in milliseconds, averaged; {@code null} before the first
 * @param waits calls that had to wait
 * @param lastError the last failure, as text, without credentials; {@code null} where there was none
 */
public record TagStats(
        long issued,
        long leased,
        long unused,
        long givenBack,
        Double supplySeconds,
        long step,
        long refills,
        long refillFailures,
        Double refillMillis,
        long waits,
        String lastError) {
    /** How many of the figures are numbers: all but the last. */
    static final int NUMBERS = 10;

    /** Reads the numbers that begin at {@code at}, in the order of the core. */
    static TagStats read(long[] numbers, int at, String lastError) {
        return new TagStats(
                numbers[at],
                numbers[at + 1],
                numbers[at + 2],
                numbers[at + 3],
                measure(numbers[at + 4]),
                numbers[at + 5],
                numbers[at + 6],
                numbers[at + 7],
                measure(numbers[at + 8]),
                numbers[at + 9],
                lastError);
    }

    private static Double measure(long bits) {
        double measure = Double.longBitsToDouble(bits);
        return Double.isNaN(measure) ? null : measure;
    }
}
