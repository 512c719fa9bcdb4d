package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.jackson.IdAsString;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a number, as a {@link Format} writes and parses them.
 *
 * <pre>{@code
 * NumberParts parts = NumberParts.of(42).withKey("shop-7");
 * String number = Format.of("{key}/{number:6}").format(parts); // shop-7/000042
 * }</pre>
 *
 * @param number the number, not negative
 * @param date the date; {@code null} if the format has no field of it
 * @param key the key; {@code null} if the format has none
 * @param shard the shard, such as a table; {@code null} if the format has none
 */
public record NumberParts(
        @IdAsString long number,
        @Nullable LocalDate date,
        @Nullable String key,
        @Nullable Long shard) {
    /**
     * Returns a number without other parts.
     *
     * @param number the number, not negative
     * @return the parts
     */
    public static NumberParts of(long number) {
        return new NumberParts(number, null, null, null);
    }

    /**
     * Returns these parts with a date.
     *
     * @param date the date
     * @return the parts
     */
    public NumberParts on(LocalDate date) {
        return new NumberParts(number, requireNonNull(date, "date"), key, shard);
    }

    /**
     * Returns these parts with a key.
     *
     * @param key 1 to 64 visible ASCII characters, a hyphen neither first nor last
     * @return the parts
     */
    public NumberParts withKey(String key) {
        return new NumberParts(number, date, requireNonNull(key, "key"), shard);
    }

    /**
     * Returns these parts with a shard.
     *
     * @param shard the shard, 0 or more
     * @return the parts
     */
    public NumberParts withShard(long shard) {
        return new NumberParts(number, date, key, shard);
    }

    /** Reads what the core parsed. */
    static NumberParts read(@Nullable String[] texts) {
        String date = texts[1];
        return new NumberParts(
                Long.parseLong(texts[0]),
                date == null ? null : LocalDate.parse(date),
                texts[2],
                RecordReader.number(texts[3]));
    }
}
