package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.results.Results;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a number, as an {@link IdFormat} writes and parses them.
 *
 * <p>Only leafmint implements it: a later version may add methods.
 *
 * <pre>{@code
 * NumberParts parts = NumberParts.of(42).withKey("shop-7");
 * String number = IdFormat.of("{key}/{number:6}").format(parts); // shop-7/000042
 * }</pre>
 */
public interface NumberParts {
    /** {@return the number, not negative} */
    long number();

    /** {@return the date; {@code null} if the format has no field of it} */
    @Nullable
    LocalDate date();

    /** {@return the key; {@code null} if the format has none} */
    @Nullable
    String key();

    /** {@return the shard, such as a table; {@code null} if the format has none} */
    @Nullable
    Long shard();

    /**
     * Returns a number without other parts.
     *
     * @param number the number, not negative
     * @return the parts
     */
    static NumberParts of(long number) {
        return new Results.NumberParts(number, null, null, null);
    }

    /**
     * Returns these parts with a date.
     *
     * @param date the date
     * @return the parts
     */
    default NumberParts on(LocalDate date) {
        return new Results.NumberParts(number(), requireNonNull(date, "date"), key(), shard());
    }

    /**
     * Returns these parts with a key.
     *
     * @param key 1 to 64 visible ASCII characters, a hyphen neither first nor last
     * @return the parts
     */
    default NumberParts withKey(String key) {
        return new Results.NumberParts(number(), date(), requireNonNull(key, "key"), shard());
    }

    /**
     * Returns these parts with a shard.
     *
     * @param shard the shard, 0 or more
     * @return the parts
     */
    default NumberParts withShard(long shard) {
        return new Results.NumberParts(number(), date(), key(), shard);
    }
}
