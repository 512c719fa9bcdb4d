package io.github.leafmint;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.results.Results;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A number of a {@link Series} or a {@link GaplessSequence}, with the period that it belongs to. Immutable.
 *
 * <p>The pair of {@linkplain #group() group} and {@linkplain #number() number} is unique for each name and key: within
 * the generator's {@linkplain SegmentGenerator#scope() scope}, or within the database of the transaction.
 *
 * <pre>{@code
 * SeriesNumber invoice = invoices.next();
 * String text = invoice.text(); // INV-261125-000042
 * long number = invoice.number(); // 42
 * String day = invoice.group(); // 2026-11-25
 * }</pre>
 */
public final class SeriesNumber {
    private final SeriesGroup group;
    private final long number;

    SeriesNumber(SeriesGroup group, long number) {
        this.group = group;
        this.number = number;
    }

    /**
     * Returns the number.
     *
     * @return 1 or more
     */
    public long number() {
        return number;
    }

    /**
     * Returns the period that the number belongs to.
     *
     * @return such as {@code 2026-11-25}, {@code 2026-11} or {@code 2026}; empty if the numbers never start again
     */
    public String group() {
        return group.text();
    }

    /**
     * Returns the first day of the period.
     *
     * @return the day; {@code null} if the numbers never start again
     */
    public @Nullable LocalDate date() {
        return group.date();
    }

    /**
     * Returns the key of the series.
     *
     * @return the key; {@code null} if the series has none
     */
    public @Nullable String key() {
        return group.key();
    }

    /**
     * Returns the number as the format of the series writes it.
     *
     * @return the text
     * @throws InvalidConfigException if the series has no format
     */
    public String text() {
        IdFormat format = group.format();
        if (format == null) {
            throw new InvalidConfigException("series \"" + Text.printable(group.series())
                    + "\" has no format: give it one with format(IdFormat), or use number() and group()");
        }
        return format.format(new Results.NumberParts(number, group.date(), group.key(), null));
    }

    /**
     * Returns true if the other object is the same number of a series with the same name, key, period and format.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SeriesNumber that && number == that.number && group.equals(that.group);
    }

    /**
     * Returns the hash code of the number and its period.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return 31 * group.hashCode() + Long.hashCode(number);
    }

    /**
     * Returns the name, key and period, and the number.
     *
     * @return such as {@code SeriesNumber[invoice/shop-7@2026-11-25 42]}
     */
    @Override
    public String toString() {
        return "SeriesNumber[" + Text.printable(group.toString()) + " " + number + "]";
    }
}
