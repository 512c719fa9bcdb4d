package io.github.leafmint.internal.natives;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.NumberParts;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.audit.Severity;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.status.GaplessInfo;
import io.github.leafmint.status.SegmentCheck;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SeriesInfo;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagInfo;
import io.github.leafmint.status.TagStats;
import io.github.leafmint.status.WorkerInfo;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads records that the core passes as texts, {@code null} for what is missing, one text after another. */
public final class RecordReader {
    /** The components of {@link TagStats} that the core passes as numbers: all but the last error. */
    public static final int TAG_NUMBERS = 16;

    private final @Nullable String[] texts;
    private int at;

    private RecordReader(@Nullable String[] texts) {
        this.texts = texts;
    }

    public static List<TagInfo> tags(@Nullable String[] texts) {
        return new RecordReader(texts).rest(RecordReader::tag);
    }

    private TagInfo tag() {
        return new Results.TagInfo(text(), number(), number(), optional(), time(), number(), optional());
    }

    public static List<SeriesInfo> series(@Nullable String[] texts) {
        return new RecordReader(texts).rest(RecordReader::series);
    }

    private SeriesInfo series() {
        return new Results.SeriesInfo(text(), SeriesPeriod.valueOf(constant()), of(optional(), ZoneId::of), optional());
    }

    public static List<GaplessInfo> gapless(@Nullable String[] texts) {
        return new RecordReader(texts).rest(RecordReader::gapless);
    }

    private GaplessInfo gapless() {
        return new Results.GaplessInfo(
                text(), optional(), SeriesPeriod.valueOf(constant()), text(), number(), optional());
    }

    public static List<WorkerInfo> workers(@Nullable String[] texts) {
        return new RecordReader(texts).rest(RecordReader::worker);
    }

    private WorkerInfo worker() {
        return new Results.WorkerInfo(count(), text(), flag(), time(), time());
    }

    public static SegmentCheck segmentCheck(@Nullable String[] texts) {
        var reader = new RecordReader(texts);
        return new Results.SegmentCheck(
                reader.text(), reader.flag(), reader.count(), reader.flag(), Duration.ofNanos(reader.count()));
    }

    public static SnowflakeCheck snowflakeCheck(@Nullable String[] texts) {
        var reader = new RecordReader(texts);
        return new Results.SnowflakeCheck(
                reader.text(),
                reader.text(),
                reader.flag(),
                reader.text(),
                Instant.ofEpochMilli(reader.count()),
                reader.count(),
                reader.count(),
                of(reader.number(), Duration::ofMillis));
    }

    public static SnowflakeStats snowflakeStats(@Nullable String[] texts) {
        var reader = new RecordReader(texts);
        return new Results.SnowflakeStats(
                reader.number(),
                reader.text(),
                reader.text(),
                reader.text(),
                reader.optional(),
                reader.flag(),
                of(reader.measure(), RecordReader::seconds),
                Duration.ofMillis(reader.count()),
                of(reader.measure(), RecordReader::millis),
                reader.count(),
                reader.count(),
                reader.count(),
                reader.count(),
                reader.optional(),
                reader.optional(),
                reader.time());
    }

    /** Reads what {@link Native#segmentStats} returns. */
    public static SegmentStats segmentStats(Object[] both) {
        var reader = new RecordReader((String[]) both[0]);
        var numbers = (long[]) both[1];
        String scope = reader.text();
        boolean storeUp = reader.flag();
        String host = reader.optional();
        var failures = new LinkedHashMap<String, Long>();
        for (long count = reader.count(); count > 0; count--) {
            failures.put(reader.text(), reader.count());
        }
        var tags = new LinkedHashMap<String, TagStats>();
        for (int number = 0; number < numbers.length; number += TAG_NUMBERS) {
            tags.put(reader.text(), tagStats(numbers, number, reader.optional(), reader.optional()));
        }
        return new Results.SegmentStats(
                scope, storeUp, host, Collections.unmodifiableMap(failures), Collections.unmodifiableMap(tags));
    }

    /** Reads the stats of a tag from the numbers from index {@code at} on. */
    public static TagStats tagStats(
            long[] numbers, int at, @Nullable String lastError, @Nullable String lastErrorCode) {
        return new Results.TagStats(
                numbers[at],
                numbers[at + 1],
                numbers[at + 2],
                numbers[at + 3],
                numbers[at + 4],
                of(measure(numbers[at + 5]), RecordReader::seconds),
                numbers[at + 6],
                numbers[at + 7],
                numbers[at + 8],
                numbers[at + 9],
                of(measure(numbers[at + 10]), RecordReader::millis),
                numbers[at + 11],
                numbers[at + 12],
                of(measure(numbers[at + 13]), Double::longValue),
                of(measure(numbers[at + 14]), RecordReader::seconds),
                lastError,
                lastErrorCode,
                numbers[at + 15] < 0 ? null : Instant.ofEpochMilli(numbers[at + 15]));
    }

    private static @Nullable Double measure(long bits) {
        double measure = Double.longBitsToDouble(bits);
        return Double.isNaN(measure) ? null : measure;
    }

    private static Duration millis(double millis) {
        return seconds(millis / 1e3);
    }

    /** Returns a duration; 292,000 years for any longer one. */
    private static Duration seconds(double seconds) {
        return Duration.of(Math.round(seconds * 1e6), ChronoUnit.MICROS);
    }

    public static AuditReport auditReport(@Nullable String[] texts) {
        var reader = new RecordReader(texts);
        String scope = reader.text();
        Instant readAt = Instant.ofEpochMilli(reader.count());
        long keys = reader.count();
        long findings = reader.count();
        return new Results.AuditReport(
                scope,
                readAt,
                reader.next(keys, RecordReader::keyUse),
                reader.next(findings, RecordReader::finding),
                reader.rest(RecordReader::text));
    }

    private KeyUse keyUse() {
        return new Results.KeyUse(
                text(),
                text(),
                text(),
                new BigInteger(text()),
                new BigInteger(text()),
                of(measure(), days -> seconds(days * 86_400)));
    }

    private AuditFinding finding() {
        return new Results.AuditFinding(
                FindingKind.valueOf(constant()),
                Severity.valueOf(constant()),
                text(),
                text(),
                new BigInteger(text()),
                new BigInteger(text()),
                text());
    }

    public static NumberParts numberParts(@Nullable String[] texts) {
        var reader = new RecordReader(texts);
        return new Results.NumberParts(
                reader.count(), of(reader.optional(), LocalDate::parse), reader.optional(), reader.number());
    }

    private <T> List<T> rest(Function<RecordReader, T> record) {
        var records = new ArrayList<T>();
        while (at < texts.length) {
            records.add(record.apply(this));
        }
        return Collections.unmodifiableList(records);
    }

    private <T> List<T> next(long count, Function<RecordReader, T> record) {
        var records = new ArrayList<T>();
        for (long each = 0; each < count; each++) {
            records.add(record.apply(this));
        }
        return records;
    }

    private @Nullable String optional() {
        return texts[at++];
    }

    private String text() {
        return requireNonNull(optional());
    }

    private String constant() {
        return text().toUpperCase(Locale.ROOT);
    }

    private long count() {
        return Long.parseLong(text());
    }

    private boolean flag() {
        return Boolean.parseBoolean(text());
    }

    private @Nullable Long number() {
        return of(optional(), Long::valueOf);
    }

    private @Nullable Double measure() {
        return of(optional(), Double::valueOf);
    }

    /** Reads Unix milliseconds. */
    private @Nullable Instant time() {
        return of(number(), Instant::ofEpochMilli);
    }

    private static <A, B> @Nullable B of(@Nullable A given, Function<A, B> reading) {
        return given == null ? null : reading.apply(given);
    }
}
