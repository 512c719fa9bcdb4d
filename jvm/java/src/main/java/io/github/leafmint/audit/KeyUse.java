package io.github.leafmint.audit;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.github.leafmint.internal.results.Results;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a key is used. Part of an {@link AuditReport}.
 *
 * <pre>{@code
 * for (KeyUse key : report.keys()) {
 *     System.out.println(key.table() + "." + key.column() + ": " + key.used() + " of " + key.largest());
 * }
 * }</pre>
 */
public interface KeyUse {
    /**
     * {@return the table, or the sequence that fills no column; in PostgreSQL with its schema, unless that is public}
     */
    String table();

    /** {@return the column; empty for a sequence that fills none} */
    String column();

    /** {@return the type, as the engine names it} */
    String dataType();

    /** {@return the highest number used} */
    BigInteger used();

    /** {@return the highest number that can be used} */
    BigInteger largest();

    /** {@return the time until it runs out at the present rate; {@code null} if the rate is not known} */
    @Nullable
    Duration timeLeft();

    /** Jackson calls it: a report that the application has stored is read again. */
    @JsonCreator
    private static KeyUse read(Results.KeyUse stored) {
        return stored;
    }
}
