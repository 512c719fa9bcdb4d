package io.github.leafmint.spring.boot.leaf;

import io.github.leafmint.LeafmintException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Leaf's paths on Spring MVC. Leaf's older Spring ignored a slash at the end, so it is mapped too. */
@RestController
class LeafController {
    private final LeafIds ids;

    LeafController(LeafIds ids) {
        this.ids = ids;
    }

    @RequestMapping(
            path = {"/api/segment/get/{key}", "/api/segment/get/{key}/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    ResponseEntity<String> segmentId(@PathVariable("key") String key) {
        return mint(() -> ids.tag(key).nextId());
    }

    @RequestMapping(
            path = {"/api/snowflake/get/{key}", "/api/snowflake/get/{key}/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    ResponseEntity<String> snowflakeId(@PathVariable("key") String key) {
        return mint(() -> ids.flakes().nextId());
    }

    @RequestMapping(
            path = {"/decodeSnowflakeId", "/decodeSnowflakeId/"},
            method = {RequestMethod.GET, RequestMethod.POST})
    Map<String, String> decode(@RequestParam("snowflakeId") String id) {
        return ids.decode(id);
    }

    private static ResponseEntity<String> mint(LongSupplier nextId) {
        try {
            return LeafIds.answer(nextId.getAsLong());
        } catch (LeafmintException failure) {
            throw new LeafApiException(failure);
        }
    }
}
