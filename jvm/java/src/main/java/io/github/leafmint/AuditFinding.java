package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a key. Part of an {@link AuditReport}.
 *
 * <pre>{@code
 * for (AuditFinding finding : report.findings()) {
 *     System.out.println(finding); // orders.id: 86.6 % of int(11) is used: change it to bigint, with ...
 * }
 * }</pre>
 *
 * @param kind what is wrong
 * @param severity how much it matters
 * @param table the table, or the sequence that fills no column
 * @param column the column; empty for a sequence that fills none
 * @param value the number that is judged, such as the highest one used, or the next one of a sequence
 * @param limit the number that it is measured by, such as the highest one that fits, or that of the last row
 * @param text what is wrong, and what to do
 */
public record AuditFinding(
        FindingKind kind,
        Severity severity,
        String table,
        String column,
        @IdAsString BigInteger value,
        @IdAsString BigInteger limit,
        String text) {
    /** The number of texts of a record. */
    static final int TEXTS = 7;

    static AuditFinding read(@Nullable String[] texts, int at) {
        return new AuditFinding(
                FindingKind.valueOf(texts[at].toUpperCase(Locale.ROOT)),
                Severity.valueOf(texts[at + 1].toUpperCase(Locale.ROOT)),
                texts[at + 2],
                texts[at + 3],
                new BigInteger(texts[at + 4]),
                new BigInteger(texts[at + 5]),
                texts[at + 6]);
    }

    /**
     * Returns the key and the text.
     *
     * @return a line for people
     */
    @Override
    public String toString() {
        return Text.printable((column.isEmpty() ? table : table + "." + column) + ": " + text);
    }
}
