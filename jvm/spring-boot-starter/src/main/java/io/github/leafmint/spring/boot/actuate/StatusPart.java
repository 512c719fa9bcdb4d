package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.SeriesInfo;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.TagInfo;
import io.github.leafmint.status.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What a store, or a holder, adds to the status document. It is read step by step until the deadline, and blocks no
 * thread: a step that fails adds an error, and the others are still there.
 */
final class StatusPart {
    final Map<String, Object> fields = new LinkedHashMap<>();
    final List<Map<String, Object>> errors = new ArrayList<>();

    /** Whether the last failure is one that the next step would have too, after as long a wait. */
    private boolean isAway;

    private final long longest;
    private final long begun = System.nanoTime();

    private StatusPart(Duration longest) {
        this.longest = longest.toNanos();
    }

    /** Reads a store with its tags and its series. It leases nothing. */
    static CompletableFuture<StatusPart> ofStore(SegmentGenerator ids, Duration longest) {
        var part = new StatusPart(longest);
        var store = new LinkedHashMap<String, Object>();
        store.put("scope", ids.scope());
        store.put("host", null);
        store.put("answered", null);
        store.put("is_new", null);
        // What `leafmint status` adds: a process reads no other host than its own.
        store.put("hosts", null);
        part.fields.put("store", store);
        return part.attempt("store", ids::checkAsync).thenCompose(found -> {
            if (found != null) {
                store.put("answered", LeafmintDescriptors.seconds(found.roundTrip()));
                store.put("is_new", found.isNew());
                store.put("host", ids.stats().host());
            }
            boolean isRead = found == null ? !part.isAway : !found.isNew();
            return isRead ? part.addTags(ids) : CompletableFuture.completedFuture(part);
        });
    }

    /** Reads a holder with its worker ids. It takes none. */
    static CompletableFuture<StatusPart> ofHolder(SnowflakeGenerator flakes, Duration longest) {
        var part = new StatusPart(longest);
        Map<String, Object> holder = StatusRecords.unknown(SnowflakeCheck.class);
        holder.put("scope", flakes.scope());
        part.fields.put("holder", holder);
        return part.attempt("holder", flakes::checkAsync).thenCompose(found -> {
            if (found != null) {
                holder.putAll(StatusRecords.of(SnowflakeCheck.class, found));
            }
            boolean isRead = found == null ? !part.isAway : !found.isNew();
            return isRead ? part.addWorkers(flakes) : CompletableFuture.completedFuture(part);
        });
    }

    /** Tags first: each series whose tag is listed is listed too. */
    private CompletableFuture<StatusPart> addTags(SegmentGenerator ids) {
        return attempt("tags", ids::listTagsAsync)
                .thenCompose(tags -> attempt("series", ids::listSeriesAsync).thenApply(series -> {
                    addTags(tags == null ? List.of() : tags, series == null ? List.of() : series);
                    return this;
                }));
    }

    private void addTags(List<TagInfo> tags, List<SeriesInfo> series) {
        Instant now = Instant.now();
        var tagsOf = new SeriesTags(tags, series);
        fields.put(
                "tags",
                tagsOf.own().stream()
                        .map(tag -> StatusRecords.of(TagInfo.class, tag))
                        .toList());
        fields.put("not_shown", tags.size() - tagsOf.own().size());
        fields.put(
                "series",
                series.stream().map(each -> tagsOf.describe(each, now)).toList());
    }

    private CompletableFuture<StatusPart> addWorkers(SnowflakeGenerator flakes) {
        return attempt("workers", flakes::listWorkersAsync).thenApply(workers -> {
            List<WorkerInfo> found = workers == null ? List.of() : workers;
            fields.put(
                    "workers",
                    found.stream()
                            .map(worker -> StatusRecords.of(WorkerInfo.class, worker))
                            .toList());
            return this;
        });
    }

    /** Returns a future of the answer, or of {@code null} once the error is added. */
    private <T> CompletableFuture<T> attempt(String name, Supplier<CompletableFuture<T>> begin) {
        CompletableFuture<T> answer;
        try {
            answer = begin.get();
        } catch (LeafmintException failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        long left = Math.max(longest - (System.nanoTime() - begun), 0);
        return answer.orTimeout(left, TimeUnit.NANOSECONDS).exceptionally(failure -> {
            fail(name, failure instanceof CompletionException ? failure.getCause() : failure);
            return null;
        });
    }

    private void fail(String name, Throwable failure) {
        if (failure instanceof LeafmintException known) {
            isAway = !(known instanceof InvalidConfigException);
            errors.add(error(name, known));
        } else if (failure instanceof TimeoutException) {
            isAway = true;
            String message = "no answer within " + TimeUnit.NANOSECONDS.toMillis(longest) + " ms";
            errors.add(Map.of("part", name, "code", "store_unavailable", "message", message));
        } else {
            throw new CompletionException(failure);
        }
    }

    static Map<String, Object> error(String part, LeafmintException failure) {
        return Map.of("part", part, "code", failure.code(), "message", failure.getMessage());
    }
}
