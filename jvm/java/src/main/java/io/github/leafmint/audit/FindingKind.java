package io.github.leafmint.audit;

/**
 * What is wrong with a key: see {@link AuditFinding}.
 *
 * <pre>{@code
 * boolean runsOut = report.findings().stream().anyMatch(finding -> finding.kind() == FindingKind.RUNS_OUT);
 * }</pre>
 */
public enum FindingKind {
    /** {@code runs_out}: {@code value} numbers of {@code limit} are used. */
    RUNS_OUT("runs_out"),

    /** {@code narrow_reference}: a foreign key holds up to {@code limit}, and its target up to {@code value}. */
    NARROW_REFERENCE("narrow_reference"),

    /** {@code counter_behind}: a sequence or AUTO_INCREMENT gives {@code value}, but there is a row {@code limit}. */
    COUNTER_BEHIND("counter_behind"),

    /** {@code tag_behind}: a tag leases {@code value} next, but there is a row {@code limit}. */
    TAG_BEHIND("tag_behind"),

    /** {@code rounded_in_json}: the number {@code value} is above {@code limit}, 2^53, and JavaScript rounds it. */
    ROUNDED_IN_JSON("rounded_in_json"),

    /** {@code clock_ahead}: the time {@code value} of a snowflake is ahead of the clock, {@code limit}, both in ms. */
    CLOCK_AHEAD("clock_ahead"),

    /** {@code mixed_layouts}: {@code value} is no snowflake of the layout; {@code limit} is the highest number. */
    MIXED_LAYOUTS("mixed_layouts");

    private final String text;

    FindingKind(String text) {
        this.text = text;
    }

    /**
     * Returns the name that all languages share.
     *
     * @return for example {@code runs_out}
     */
    public String text() {
        return text;
    }
}
