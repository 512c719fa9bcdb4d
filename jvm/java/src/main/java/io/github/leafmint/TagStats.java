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
 * @param supplySeconds how long the ids in hand last at the present rate, in seconds; {@code null} where nobody uses the tag
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
    /** How many figures there are. */
    static final int FIGURES = 11;

    /** Reads the figures that stand at {@code at} and after, in the order of the core. */
    static TagStats read(String[] texts, int at) {
        return new TagStats(
                Long.parseLong(texts[at]),
                Long.parseLong(texts[at + 1]),
                Long.parseLong(texts[at + 2]),
                Long.parseLong(texts[at + 3]),
                measure(texts[at + 4]),
                Long.parseLong(texts[at + 5]),
                Long.parseLong(texts[at + 6]),
                Long.parseLong(texts[at + 7]),
                measure(texts[at + 8]),
                Long.parseLong(texts[at + 9]),
                texts[at + 10]);
    }

    private static Double measure(String text) {
        return text == null ? null : Double.valueOf(text);
    }
}
