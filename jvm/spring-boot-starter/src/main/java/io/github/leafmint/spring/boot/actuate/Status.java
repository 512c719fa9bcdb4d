package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.Leafmint;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.spring.boot.actuate.RecentAudit.Attempt;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagStats;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Reads the status document: what the store, the holder and this process say at one moment. Python's is the same; an
 * example is in {@code tests/vectors/status.json}. Of several generators, the store and the holder are those of the
 * primary ones, or of the first.
 */
final class Status {
    private final Generators generators;
    private final Supplier<Attempt> audit;
    private final Duration longest;

    /** Makes a status with the last audit; of {@code null} for none. */
    Status(Generators generators, Supplier<Attempt> audit, Duration longest) {
        this.generators = generators;
        this.audit = audit;
        this.longest = longest;
    }

    /** Returns a future of the document, complete by the deadline with what could be read. */
    CompletableFuture<Map<String, Object>> read() {
        var store = partOf(generators.segments(), "segments", StatusPart::ofStore);
        var holder = partOf(generators.snowflakes(), "snowflakes", StatusPart::ofHolder);
        var host = Host.NAME.copy().completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.allOf(store, holder, host)
                .thenApplyAsync(read -> document(store.join(), holder.join(), host.join()));
    }

    private <G> CompletableFuture<StatusPart> partOf(
            Map<String, G> found, String primary, BiFunction<G, Duration, CompletableFuture<StatusPart>> read) {
        G generator = first(found, primary);
        return generator == null ? CompletableFuture.completedFuture(null) : read.apply(generator, longest);
    }

    private static <G> G first(Map<String, G> found, String primary) {
        return found.getOrDefault(primary, found.values().stream().findFirst().orElse(null));
    }

    private Map<String, Object> document(StatusPart store, StatusPart holder, String host) {
        var document = new LinkedHashMap<String, Object>();
        document.put("version", Leafmint.version());
        document.put("read", StatusRecords.time(Instant.now()));
        document.put("store", null);
        document.put("tags", List.of());
        document.put("not_shown", 0);
        document.put("series", List.of());
        document.put("holder", null);
        document.put("workers", List.of());
        document.put("keys", null);
        document.put("findings", null);
        document.put("process", process(host));
        var errors = new ArrayList<Map<String, Object>>();
        for (StatusPart part : new StatusPart[] {store, holder}) {
            if (part != null) {
                document.putAll(part.fields);
                errors.addAll(part.errors);
            }
        }
        addAudit(document, errors);
        document.put("errors", errors);
        return document;
    }

    private void addAudit(Map<String, Object> document, List<Map<String, Object>> errors) {
        Attempt last = audit.get();
        if (last == null) {
            return;
        }
        if (last.failure() != null) {
            errors.add(StatusPart.error("keys", last.failure()));
        }
        if (last.report() != null) {
            document.put(
                    "keys", last.report().keys().stream().map(Status::describe).toList());
            document.put(
                    "findings",
                    last.report().findings().stream()
                            .map(finding -> StatusRecords.of(AuditFinding.class, finding))
                            .toList());
        }
    }

    private static Map<String, Object> describe(KeyUse key) {
        Map<String, Object> described = StatusRecords.of(KeyUse.class, key);
        described.remove("time_left");
        described.put("days_left", LeafmintAuditDescriptors.days(key.timeLeft()));
        return described;
    }

    private Map<String, Object> process(String host) {
        var tags = new LinkedHashMap<String, Object>();
        Boolean storeUp = null;
        Map<String, Long> failures = null;
        for (SegmentGenerator ids : generators.segments().values()) {
            SegmentStats stats = ids.stats();
            storeUp = stats.storeUp() && !Boolean.FALSE.equals(storeUp);
            Map<String, Long> sums = failures == null ? new TreeMap<>() : failures;
            stats.failures().forEach((code, count) -> sums.merge(code, count, Long::sum));
            failures = sums;
            stats.tags().forEach((name, tag) -> tags.put(name, StatusRecords.of(TagStats.class, tag)));
        }
        SnowflakeGenerator flakes = first(generators.snowflakes(), "snowflakes");
        var process = new LinkedHashMap<String, Object>();
        process.put("pid", ProcessHandle.current().pid());
        process.put("host", host);
        process.put("store_up", storeUp);
        process.put("failures", failures);
        process.put("tags", tags);
        process.put("snowflake", flakes == null ? null : StatusRecords.of(SnowflakeStats.class, flakes.stats()));
        return process;
    }

    /** Looked up once, in the background: a resolver that is away can take long. */
    private static final class Host {
        static final CompletableFuture<String> NAME = CompletableFuture.supplyAsync(Host::name);

        private static String name() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return null;
            }
        }
    }
}
