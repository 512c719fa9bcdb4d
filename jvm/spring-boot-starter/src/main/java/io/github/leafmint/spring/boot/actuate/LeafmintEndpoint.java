package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.InvalidIdException;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.All;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Decoded;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.DecodedParts;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Segments;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Snowflakes;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Tag;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.TagOfGenerators;
import io.github.leafmint.status.SeriesInfo;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagInfo;
import io.github.leafmint.status.TagStats;
import io.github.leafmint.status.WorkerInfo;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * The endpoint {@code /actuator/leafmint}: shows the figures of the generators, and decodes snowflakes.
 *
 * <p>It only reads: it never mints, and shows no credentials. Ids and counts are strings, since JavaScript rounds large
 * numbers. Over the web it also has a page with the status of the store, the only part that asks the store.
 *
 * <pre>{@code
 * GET /actuator/leafmint
 * GET /actuator/leafmint/tags/order
 * GET /actuator/leafmint/decode/2116681624581074986
 * GET /actuator/leafmint/page.html
 * GET /actuator/leafmint/status.json
 * }</pre>
 */
@RegisterReflectionForBinding({
    TagOfGenerators.class,
    Decoded.class,
    TagInfo.class,
    SeriesInfo.class,
    WorkerInfo.class,
    SnowflakeCheck.class,
    TagStats.class,
    SnowflakeStats.class,
    KeyUse.class,
    AuditFinding.class
})
@Endpoint(id = "leafmint", defaultAccess = Access.READ_ONLY)
public class LeafmintEndpoint {
    private final Generators generators;

    LeafmintEndpoint(Generators generators) {
        this.generators = generators;
    }

    /**
     * Describes every generator.
     *
     * @return the generators by name
     */
    @ReadOperation
    public All generators() {
        var segments = new LinkedHashMap<String, Segments>();
        generators.segments().forEach((name, generator) -> segments.put(name, Segments.of(generator.stats())));
        var snowflakes = new LinkedHashMap<String, Snowflakes>();
        generators.snowflakes().forEach((name, generator) -> snowflakes.put(name, Snowflakes.of(generator)));
        return new All(segments, snowflakes);
    }

    /**
     * Describes a tag, or decodes a snowflake with the layout of each generator that it fits.
     *
     * @param path {@code tags} and the name of the tag, which may have slashes, or {@code decode} and the id
     * @return the tag in each generator that uses it, or the parts of the id; {@code null} if there is none
     */
    @ReadOperation
    public OperationResponseBody read(@Selector(match = Match.ALL_REMAINING) String... path) {
        // One selector: after another one, WebFlux passes the first segment too, and MVC does not.
        String name = String.join("/", Arrays.asList(path).subList(Math.min(path.length, 1), path.length));
        return switch (path.length == 0 ? "" : path[0]) {
            case "tags" -> tag(name);
            case "decode" -> decode(name);
            default -> null;
        };
    }

    private TagOfGenerators tag(String tag) {
        var found = new LinkedHashMap<String, Tag>();
        generators.segments().forEach((name, generator) -> {
            var stats = generator.stats().tags().get(tag);
            if (stats != null) {
                found.put(name, Tag.of(stats));
            }
        });
        return found.isEmpty() ? null : new TagOfGenerators(tag, found);
    }

    private Decoded decode(String id) {
        if (generators.snowflakes().isEmpty()) {
            return null;
        }
        try {
            return decode(Long.parseLong(id));
        } catch (NumberFormatException failure) {
            throw new InvalidEndpointRequestException(
                    "the id is not a number from 0 to " + Long.MAX_VALUE, "The id is not a 63-bit number");
        }
    }

    private Decoded decode(long id) {
        var decoded = new LinkedHashMap<String, DecodedParts>();
        InvalidIdException last = null;
        for (var snowflakes : generators.snowflakes().entrySet()) {
            SnowflakeGenerator generator = snowflakes.getValue();
            try {
                decoded.put(snowflakes.getKey(), DecodedParts.of(generator.decode(id), generator.layout()));
            } catch (InvalidIdException failure) {
                last = failure;
            }
        }
        if (decoded.isEmpty() && last != null) {
            throw new InvalidEndpointRequestException(last.getMessage(), last.getMessage());
        }
        return new Decoded(Long.toString(id), decoded);
    }
}
