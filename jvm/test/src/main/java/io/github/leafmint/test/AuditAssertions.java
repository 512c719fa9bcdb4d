package io.github.leafmint.test;

import io.github.leafmint.Audit;
import io.github.leafmint.audit.AuditReport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fails a test if a key of a database runs out, lies behind or is too narrow. It needs no test framework.
 *
 * <pre>{@code
 * @Test
 * void keysAreSound() {
 *     assertAudit(Audit.of(url).ignore("*:rounded_in_json"));
 * }
 * }</pre>
 */
public final class AuditAssertions {
    private AuditAssertions() {}

    /**
     * Fails if an audit finds anything, also a note, that {@link Audit#ignore} does not name. It also fails if a table
     * cannot be read, and if there is no key at all.
     *
     * @param audit the audit, which runs
     * @return the report
     * @throws AssertionError with each finding, and what to ignore if it is meant
     */
    public static AuditReport assertAudit(Audit audit) {
        AuditReport report = audit.run();
        String rules = Stream.concat(
                        report.findings().stream()
                                .map(it -> it.table() + ":" + it.kind().text()),
                        report.unread().stream())
                .distinct()
                .collect(Collectors.joining(", "));
        if (!rules.isEmpty()) {
            throw new AssertionError(report + "\nIf that is meant, ignore: " + rules);
        }
        if (report.keys().isEmpty()) {
            throw new AssertionError(
                    report.scope() + ": the audit found no key: make the tables first, or look at others");
        }
        return report;
    }
}
