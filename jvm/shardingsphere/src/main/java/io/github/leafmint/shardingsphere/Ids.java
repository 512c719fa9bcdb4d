package io.github.leafmint.shardingsphere;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Reads ids out of the values of a statement, which may be numbers or texts of digits. */
final class Ids {
    private Ids() {}

    /** Refuses null, with which a statement compares a column, or which it inserts. */
    static Object requireValue(String column, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("column " + column
                    + " has the value null, which belongs to no shard: write IS NULL, or set a value");
        }
        return value;
    }

    static long idOf(String column, @Nullable Object value) {
        String digits = requireValue(column, value).toString();
        try {
            return new BigDecimal(digits).longValueExact();
        } catch (NumberFormatException | ArithmeticException noId) {
            throw new IllegalArgumentException("column " + column + " has the value \"" + digits
                    + "\", which is not an id: ids are whole numbers");
        }
    }
}
