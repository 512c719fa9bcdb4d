package io.github.leafmint.audit;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.github.leafmint.Audit;
import io.github.leafmint.internal.results.Results;
import java.time.Instant;
import java.util.List;

/**
 * What an {@link Audit} read and found. Jackson 2 and 3 write it, and read it for {@link Audit#since}; Jackson 2 needs
 * its module for {@code java.time}.
 *
 * <pre>{@code
 * AuditReport report = Audit.of("jdbc:postgresql://db1/shop?user=audit").run();
 * if (!report.ok()) {
 *     System.out.println(report);
 * }
 * }</pre>
 */
public interface AuditReport {
    /** {@return the database, without credentials} */
    String scope();

    /** {@return when it was read} */
    Instant readAt();

    /** {@return each key, the one used most first} */
    List<KeyUse> keys();

    /** {@return what is wrong, worst first} */
    List<AuditFinding> findings();

    /**
     * {@return tables and sequences that the account may not read, or that are locked or damaged; {@code *} if it sees
     * none}
     */
    List<String> unread();

    /**
     * Returns whether everything was read, and no finding is a problem.
     *
     * @return false if something has to be done
     */
    default boolean ok() {
        return unread().isEmpty() && findings().stream().noneMatch(finding -> finding.severity() == Severity.PROBLEM);
    }

    /**
     * Returns the database, and a line for each finding and each table that was not read.
     *
     * @return a text for people
     */
    @Override
    String toString();

    /** Jackson calls it: a report that the application has stored is read again. */
    @JsonCreator
    private static AuditReport read(Results.AuditReport stored) {
        return stored;
    }
}
