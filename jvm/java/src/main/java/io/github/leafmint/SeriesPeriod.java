package io.github.leafmint;

/**
 * The period after which the numbers of a {@link Series} start again at 1, by the calendar of its zone.
 *
 * <pre>{@code
 * Series invoices = ids.series("invoice")
 *         .period(SeriesPeriod.MONTH)
 *         .zone(ZoneId.of("Europe/Madrid"))
 *         .open();
 * }</pre>
 */
public enum SeriesPeriod {
    /** The numbers start again each day. */
    DAY("day"),

    /** The numbers start again each month. */
    MONTH("month"),

    /** The numbers start again each calendar year. */
    YEAR("year"),

    /** The numbers never start again. Such a series has no zone. */
    FOREVER("forever");

    /** The period as the core and the store name it. */
    final String text;

    SeriesPeriod(String text) {
        this.text = text;
    }
}
