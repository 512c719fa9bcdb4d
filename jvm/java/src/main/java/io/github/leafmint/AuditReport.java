package io.github.leafmint;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Audit} read and found.
 *
 * <pre>{@code
 * AuditReport report = Audit.of("jdbc:postgresql://db1/shop?user=audit").run();
 * if (!report.ok()) {
 *     System.out.println(report);
 * }
 * }</pre>
 *
 * @param scope the database, without credentials
 * @param readAt when it was read
 * @param keys each key, the one used most first
 * @param findings what is wrong, worst first
 * @param unread tables and sequences that the account may not read, or that are locked or damaged; {@code *} if it sees
 *     none
 */
public record AuditReport(
        String scope, Instant readAt, List<KeyUse> keys, List<AuditFinding> findings, List<String> unread) {
    /** The number of texts before the keys. */
    private static final int TEXTS = 4;

    /**
     * Creates a report, for example an earlier one that the application has stored.
     *
     * @param scope the database
     * @param readAt when it was read
     * @param keys each key
     * @param findings what is wrong
     * @param unread the tables that were not read
     * @throws NullPointerException if one of them is null
     */
    public AuditReport {
        keys = List.copyOf(keys);
        findings = List.copyOf(findings);
        unread = List.copyOf(unread);
    }

    static AuditReport read(@Nullable String[] texts) {
        int keys = Integer.parseInt(texts[2]);
        int findings = Integer.parseInt(texts[3]);
        int findingsFrom = TEXTS + keys * KeyUse.TEXTS;
        int unreadFrom = findingsFrom + findings * AuditFinding.TEXTS;
        return new AuditReport(
                texts[0],
                Instant.ofEpochMilli(Long.parseLong(texts[1])),
                RecordReader.read(texts, TEXTS, keys, KeyUse.TEXTS, KeyUse::read),
                RecordReader.read(texts, findingsFrom, findings, AuditFinding.TEXTS, AuditFinding::read),
                Arrays.asList(texts).subList(unreadFrom, texts.length));
    }

    /**
     * Returns whether everything was read, and no finding is a problem.
     *
     * @return false if something has to be done
     */
    public boolean ok() {
        return unread.isEmpty() && findings.stream().noneMatch(finding -> finding.severity() == Severity.PROBLEM);
    }

    /**
     * Returns the database, and a line for each finding and each table that was not read.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        Stream<String> found = findings.stream()
                .map(finding -> String.format("%-7s  %s", finding.severity().text(), finding));
        Stream<String> notRead = unread.stream()
                .map(table -> "unread   " + Text.printable(table)
                        + (table.equals("*")
                                ? ": this account sees no table: grant it SELECT, or name the database that has them"
                                : ": this account may not read it, or it is locked or damaged"));
        String summary = scope + ": keys: " + keys.size() + ", findings: " + findings.size();
        return Stream.concat(Stream.of(summary), Stream.concat(found, notRead)).collect(Collectors.joining("\n"));
    }
}
