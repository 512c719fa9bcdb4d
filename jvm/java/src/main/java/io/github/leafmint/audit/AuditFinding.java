package io.github.leafmint.audit;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.github.leafmint.internal.results.Results;
import java.math.BigInteger;

/**
 * What is wrong with a key. Part of an {@link AuditReport}.
 *
 * <pre>{@code
 * for (AuditFinding finding : report.findings()) {
 *     System.out.println(finding); // orders.id: 86.6 % of int(11) is used: change it to bigint, with ...
 * }
 * }</pre>
 */
public interface AuditFinding {
    /** {@return what is wrong} */
    FindingKind kind();

    /** {@return how much it matters} */
    Severity severity();

    /** {@return the table, or the sequence that fills no column} */
    String table();

    /** {@return the column; empty for a sequence that fills none} */
    String column();

    /** {@return the number that is judged, such as the highest one used, or the next one of a sequence} */
    BigInteger value();

    /** {@return the number that it is measured by, such as the highest one that fits, or that of the last row} */
    BigInteger limit();

    /** {@return what is wrong, and what to do} */
    String text();

    /**
     * Returns the key and the text.
     *
     * @return a line for people
     */
    @Override
    String toString();

    /** Jackson calls it: a report that the application has stored is read again. */
    @JsonCreator
    private static AuditFinding read(Results.AuditFinding stored) {
        return stored;
    }
}
