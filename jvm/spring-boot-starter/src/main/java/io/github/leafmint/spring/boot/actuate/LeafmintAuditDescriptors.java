package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.KeyUse;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The answers of {@link LeafmintAuditEndpoint}. What there is no value for is {@code null}, and absent in JSON. */
public final class LeafmintAuditDescriptors {
    private LeafmintAuditDescriptors() {}

    /**
     * The last report, and the last failure unless a report came later.
     *
     * @param ok whether there is a report in which no finding is a problem
     * @param scope the database, without credentials
     * @param readAt when it was read, in ISO 8601
     * @param findings what is wrong, worst first
     * @param keys each key, the one used most first
     * @param unread tables and sequences that the account may not read, or that are locked or damaged
     * @param lastError why the database could not be audited again
     */
    public record Audited(
            boolean ok,
            String scope,
            String readAt,
            List<Finding> findings,
            List<Key> keys,
            List<String> unread,
            String lastError)
            implements OperationResponseBody {
        static Audited of(AuditReport report, String lastError) {
            return report == null
                    ? new Audited(false, null, null, null, null, null, lastError)
                    : new Audited(
                            report.ok(),
                            report.scope(),
                            report.readAt().toString(),
                            report.findings().stream().map(Finding::of).toList(),
                            report.keys().stream().map(Key::of).toList(),
                            report.unread(),
                            lastError);
        }
    }

    /**
     * What is wrong with a key: {@link AuditFinding}.
     *
     * @param kind what is wrong, for example {@code runs_out}
     * @param severity {@code problem} or {@code note}
     * @param table the table, or the sequence that fills no column
     * @param column the column; empty for a sequence that fills none
     * @param value the number that is judged
     * @param limit the number that it is measured by
     * @param text what is wrong, and what to do
     */
    public record Finding(
            String kind, String severity, String table, String column, String value, String limit, String text) {
        static Finding of(AuditFinding found) {
            return new Finding(
                    found.kind().text(),
                    found.severity().text(),
                    found.table(),
                    found.column(),
                    found.value().toString(),
                    found.limit().toString(),
                    found.text());
        }
    }

    /**
     * How far a key is used: {@link KeyUse}.
     *
     * @param table the table, or the sequence that fills no column
     * @param column the column; empty for a sequence that fills none
     * @param dataType the type, as the engine names it
     * @param used the highest number used
     * @param largest the highest number that can be used
     * @param daysLeft the days until it runs out at the present rate
     */
    public record Key(String table, String column, String dataType, String used, String largest, Double daysLeft) {
        static Key of(KeyUse key) {
            return new Key(
                    key.table(),
                    key.column(),
                    key.dataType(),
                    key.used().toString(),
                    key.largest().toString(),
                    days(key.timeLeft()));
        }
    }

    static Double days(Duration time) {
        return time == null ? null : LeafmintDescriptors.seconds(time) / 86_400;
    }
}
