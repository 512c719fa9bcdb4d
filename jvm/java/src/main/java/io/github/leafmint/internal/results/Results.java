package io.github.leafmint.internal.results;

import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.audit.Severity;
import io.github.leafmint.internal.Text;
import io.github.leafmint.jackson.IdAsString;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the API returns. To the API they are interfaces, which a later version can add values to: a record would show
 * its constructor, and patterns that name every value.
 */
public final class Results {
    private Results() {}

    public record SeriesInfo(
            String name,
            SeriesPeriod period,
            @Nullable ZoneId zone,
            @Nullable String format) implements io.github.leafmint.status.SeriesInfo {}

    public record GaplessInfo(
            String name,
            @Nullable String key,
            SeriesPeriod period,
            String group,
            @IdAsString @Nullable Long number,
            @Nullable String problem)
            implements io.github.leafmint.status.GaplessInfo {}

    public record TagInfo(
            String name,
            @IdAsString @Nullable Long maxId,
            @Nullable Long step,
            @Nullable String description,
            @Nullable Instant updateTime,
            @Nullable Long geneBits,
            @Nullable String problem)
            implements io.github.leafmint.status.TagInfo {}

    public record WorkerInfo(
            long workerId,
            String endpoint,
            boolean held,
            @Nullable Instant horizon,
            @Nullable Instant updated) implements io.github.leafmint.status.WorkerInfo {}

    public record SegmentCheck(String scope, boolean isNew, long tags, boolean createsTags, Duration roundTrip)
            implements io.github.leafmint.status.SegmentCheck {}

    public record SnowflakeCheck(
            String scope,
            String holder,
            boolean isNew,
            String layout,
            Instant runsOut,
            long workers,
            long freeWorkers,
            @Nullable Duration clockSkew)
            implements io.github.leafmint.status.SnowflakeCheck {}

    public record SegmentStats(
            String scope,
            boolean storeUp,
            @Nullable String host,
            Map<String, Long> failures,
            Map<String, io.github.leafmint.status.TagStats> tags)
            implements io.github.leafmint.status.SegmentStats {}

    public record SnowflakeStats(
            @Nullable Long workerId,
            String holder,
            String scope,
            String namespace,
            @Nullable String host,
            boolean holderUp,
            @Nullable Duration horizon,
            Duration clockLead,
            @Nullable Duration heartbeatDuration,
            long waits,
            long failedCalls,
            long leaseFailures,
            long leasesLost,
            @Nullable String lastError,
            @Nullable String lastErrorCode,
            @Nullable Instant lastErrorAt)
            implements io.github.leafmint.status.SnowflakeStats {}

    public record TagStats(
            long issued,
            long leased,
            long unused,
            long givenBack,
            long highestLeased,
            @Nullable Duration supply,
            long step,
            long refills,
            long refillFailures,
            long failuresInARow,
            @Nullable Duration refillDuration,
            long waits,
            long failedCalls,
            @Nullable Long numbersLeft,
            @Nullable Duration numbersLast,
            @Nullable String lastError,
            @Nullable String lastErrorCode,
            @Nullable Instant lastErrorAt)
            implements io.github.leafmint.status.TagStats {}

    public record KeyUse(
            String table,
            String column,
            String dataType,
            @IdAsString BigInteger used,
            @IdAsString BigInteger largest,
            @Nullable Duration timeLeft)
            implements io.github.leafmint.audit.KeyUse {}

    public record AuditFinding(
            FindingKind kind,
            Severity severity,
            String table,
            String column,
            @IdAsString BigInteger value,
            @IdAsString BigInteger limit,
            String text)
            implements io.github.leafmint.audit.AuditFinding {
        @Override
        public String toString() {
            return Text.printable((column.isEmpty() ? table : table + "." + column) + ": " + text);
        }
    }

    public record AuditReport(
            String scope,
            Instant readAt,
            List<io.github.leafmint.audit.KeyUse> keys,
            List<io.github.leafmint.audit.AuditFinding> findings,
            List<String> unread)
            implements io.github.leafmint.audit.AuditReport {
        public AuditReport {
            keys = List.copyOf(keys);
            findings = List.copyOf(findings);
            unread = List.copyOf(unread);
        }

        @Override
        public String toString() {
            Stream<String> found = findings.stream()
                    .map(finding -> String.format("%-7s  %s", finding.severity().text(), finding));
            Stream<String> notRead = unread.stream().map(AuditReport::notRead);
            String summary = scope + ": keys: " + keys.size() + ", findings: " + findings.size();
            return Stream.concat(Stream.of(summary), Stream.concat(found, notRead))
                    .collect(Collectors.joining("\n"));
        }

        private static String notRead(String table) {
            String why = table.equals("*")
                    ? "this account sees no table: grant it SELECT, or name the database that has them"
                    : "this account may not read it, or it is locked or damaged";
            return "unread   " + Text.printable(table) + ": " + why;
        }
    }

    public record ShardedId(String businessCode, @IdAsString long sequence, int table, String text)
            implements io.github.leafmint.sharding.ShardedId {
        @Override
        public String toString() {
            return text;
        }
    }

    public record DecodedId(
            @IdAsString long id, Instant timestamp, long datacenterId, long workerId, long sequence, long gene)
            implements io.github.leafmint.DecodedId {}

    public record LongRange(
            @IdAsString long start, @IdAsString long end) implements io.github.leafmint.LongRange {}

    public record OptionSpec(
            String name, String shape, String values, String defaultValue, String defaultWords, String meaning)
            implements io.github.leafmint.OptionSpec {}

    public record NumberParts(
            @IdAsString long number,
            @Nullable LocalDate date,
            @Nullable String key,
            @Nullable Long shard) implements io.github.leafmint.NumberParts {}
}
