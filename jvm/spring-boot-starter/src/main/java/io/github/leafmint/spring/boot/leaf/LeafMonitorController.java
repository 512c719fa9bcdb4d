package io.github.leafmint.spring.boot.leaf;

import io.github.leafmint.LeafmintException;
import io.github.leafmint.status.TagInfo;
import io.github.leafmint.status.TagStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What Leaf's pages {@code /cache} and {@code /db} show, as JSON with Leaf's names, on Spring MVC and WebFlux. Numbers
 * are strings, since JavaScript rounds large ones.
 */
@RestController
class LeafMonitorController {
    private final LeafIds ids;

    LeafMonitorController(LeafIds ids) {
        this.ids = ids;
    }

    /**
     * What this process has of a tag. Leaf has two segments, leafmint any number: {@code max} is the end of the last
     * one, and {@code idle} counts the ids of all.
     *
     * @param key the tag
     * @param max the highest id that this process has leased
     * @param idle the ids that are leased and not handed out
     * @param step the column {@code step} as last read
     * @param nextReady whether more than one step is left
     * @param initOk whether anything was leased
     */
    record Buffer(String key, String max, String idle, String step, boolean nextReady, boolean initOk) {
        static Buffer of(String key, TagStats stats) {
            return new Buffer(
                    key,
                    Long.toString(stats.highestLeased()),
                    Long.toString(stats.unused()),
                    Long.toString(stats.step()),
                    stats.unused() > stats.step(),
                    stats.leased() > 0);
        }
    }

    /**
     * A row of the table.
     *
     * @param key the tag
     * @param maxId the next number to lease
     * @param step the column {@code step}
     * @param updateTime when it was changed last, in ISO 8601
     */
    record Row(String key, String maxId, String step, String updateTime) {
        static Row of(TagInfo tag) {
            return new Row(tag.name(), text(tag.maxId()), text(tag.step()), text(tag.updateTime()));
        }

        private static String text(Object value) {
            return value == null ? null : value.toString();
        }
    }

    @GetMapping("/cache")
    ResponseEntity<List<Buffer>> cache() {
        return answer(ids.tags().stats().tags().entrySet().stream()
                .map(tag -> Buffer.of(tag.getKey(), tag.getValue()))
                .toList());
    }

    @GetMapping("/db")
    CompletableFuture<ResponseEntity<List<Row>>> db() {
        try {
            return ids.tags()
                    .listTagsAsync()
                    .thenApply(tags -> answer(tags.stream().map(Row::of).toList()))
                    .exceptionally(LeafApiException::raise);
        } catch (LeafmintException failure) {
            throw new LeafApiException(failure);
        }
    }

    private static <T> ResponseEntity<T> answer(T body) {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
    }
}
