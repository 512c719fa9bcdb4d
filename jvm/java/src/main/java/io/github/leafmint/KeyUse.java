package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * How far a key is used. Part of an {@link AuditReport}.
 *
 * <pre>{@code
 * for (KeyUse key : report.keys()) {
 *     System.out.println(key.table() + "." + key.column() + ": " + key.used() + " of " + key.largest());
 * }
 * }</pre>
 *
 * @param table the table, or the sequence that fills no column; in PostgreSQL with its schema, unless that is public
 * @param column the column; empty for a sequence that fills none
 * @param dataType the type, as the engine names it
 * @param used the highest number used
 * @param largest the highest number that can be used
 * @param daysLeft the days until it runs out at the present rate; {@code null} if the rate is not known
 */
public record KeyUse(
        String table,
        String column,
        String dataType,
        @IdAsString BigInteger used,
        @IdAsString BigInteger largest,
        @Nullable Double daysLeft) {
    /** The number of texts of a record. */
    static final int TEXTS = 6;

    static KeyUse read(@Nullable String[] texts, int at) {
        String daysLeft = texts[at + 5];
        return new KeyUse(
                texts[at],
                texts[at + 1],
                texts[at + 2],
                new BigInteger(texts[at + 3]),
                new BigInteger(texts[at + 4]),
                daysLeft == null ? null : Double.valueOf(daysLeft));
    }
}
