package io.github.leafmint.audit;

/**
 * How much an {@link AuditFinding} matters.
 *
 * <pre>{@code
 * boolean fails = finding.severity() == Severity.PROBLEM;
 * }</pre>
 */
public enum Severity {
    /** {@code problem}: inserts fail, or soon will. */
    PROBLEM("problem"),

    /** {@code note}: it is worth knowing. */
    NOTE("note");

    private final String text;

    Severity(String text) {
        this.text = text;
    }

    /**
     * Returns the name that all languages share.
     *
     * @return {@code problem} or {@code note}
     */
    public String text() {
        return text;
    }
}
