package io.github.leafmint.spring.boot.leaf;

import io.github.leafmint.LeafmintException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Leaf's paths on Spring WebFlux, which never block an event loop. */
@RestController
class ReactiveLeafController {
    /** An exception would be logged with each call that fails. */
    private static final ResponseEntity<String> FAILED = ResponseEntity.internalServerError()
            .contentType(MediaType.APPLICATION_JSON)
            .body("{\"status\":500,\"error\":\"Internal Server Error\"}");

    private final LeafIds ids;

    ReactiveLeafController(LeafIds ids) {
        this.ids = ids;
    }

    @RequestMapping(
            path = {"/api/segment/get/{key}", "/api/segment/get/{key}/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    CompletableFuture<ResponseEntity<String>> segmentId(@PathVariable("key") String key) {
        return mint(() -> ids.tag(key).nextIdAsync());
    }

    @RequestMapping(
            path = {"/api/snowflake/get/{key}", "/api/snowflake/get/{key}/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    CompletableFuture<ResponseEntity<String>> snowflakeId(@PathVariable("key") String key) {
        return mint(() -> ids.flakes().nextIdAsync());
    }

    @RequestMapping(
            path = {"/decodeSnowflakeId", "/decodeSnowflakeId/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    Map<String, String> decode(@RequestParam("snowflakeId") String id) {
        return ids.decode(id);
    }

    private static CompletableFuture<ResponseEntity<String>> mint(Supplier<CompletableFuture<Long>> nextId) {
        try {
            return nextId.get().thenApply(LeafIds::answer).exceptionally(failure -> FAILED);
        } catch (LeafmintException | LeafApiException failure) {
            return CompletableFuture.completedFuture(FAILED);
        }
    }
}
