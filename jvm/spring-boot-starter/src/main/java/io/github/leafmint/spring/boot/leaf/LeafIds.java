package io.github.leafmint.spring.boot.leaf;

import io.github.leafmint.DecodedId;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.Layout;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;

/**
 * The ids that Leaf's paths answer with.
 *
 * @param segments mints the ids of tags; {@code null} if there is none
 * @param snowflakes mints and decodes snowflakes; {@code null} if there is none
 */
record LeafIds(SegmentGenerator segments, SnowflakeGenerator snowflakes) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    Tag tag(String key) {
        return tags().tag(key);
    }

    SegmentGenerator tags() {
        if (segments == null) {
            throw new LeafApiException("there is no segment generator: set leafmint.segment.url");
        }
        return segments;
    }

    SnowflakeGenerator flakes() {
        if (snowflakes == null) {
            throw new LeafApiException("there is no snowflake generator: set leafmint.snowflake.enabled");
        }
        return snowflakes;
    }

    /** Returns the parts of an id as Leaf names them, or {@code errorMsg}. Without a generator the layout is Leaf's. */
    Map<String, String> decode(String id) {
        var answer = new LinkedHashMap<String, String>();
        try {
            Layout layout = snowflakes == null ? Layout.of("leaf") : snowflakes.layout();
            DecodedId parts = layout.decode(Long.parseLong(id));
            String time = TIME.withZone(ZoneId.systemDefault()).format(parts.timestamp());
            answer.put("timestamp", parts.timestamp().toEpochMilli() + "(" + time + ")");
            answer.put("sequenceId", Long.toString(parts.sequence()));
            answer.put("workerId", Long.toString(parts.workerId()));
        } catch (NumberFormatException failure) {
            answer.put("errorMsg", "snowflakeId is not a number from 0 to " + Long.MAX_VALUE);
        } catch (InvalidIdException failure) {
            answer.put("errorMsg", failure.getMessage());
        }
        return answer;
    }

    /** Returns the answer with an id. A cache on the way would repeat it, so none may keep it. */
    static ResponseEntity<String> answer(long id) {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(Long.toString(id));
    }
}
