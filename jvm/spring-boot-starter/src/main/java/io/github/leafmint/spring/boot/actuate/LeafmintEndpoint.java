package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.InvalidIdException;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.All;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Decoded;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.DecodedParts;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Segments;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Snowflakes;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.Tag;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors.TagOfGenerators;
import java.util.LinkedHashMap;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code /actuator/leafmint}: shows what the generators have in hand, and decodes snowflakes.
 *
 * <p>It only reads: it never mints, never waits for a store, and shows no credentials. Ids and counts are strings,
 * since JavaScript rounds large numbers.
 *
 * <pre>{@code
 * GET /actuator/leafmint
 * GET /actuator/leafmint/order
 * GET /actuator/leafmint/decode/2116681624581074986
 * }</pre>
 */
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
     * Describes a tag.
     *
     * @param tag the name of the tag
     * @return the tag in each generator that uses it; {@code null} if none does
     */
    @ReadOperation
    public TagOfGenerators tag(@Selector String tag) {
        var found = new LinkedHashMap<String, Tag>();
        generators.segments().forEach((name, generator) -> {
            var stats = generator.stats().tags().get(tag);
            if (stats != null) {
                found.put(name, Tag.of(stats));
            }
        });
        return found.isEmpty() ? null : new TagOfGenerators(tag, found);
    }

    /**
     * Decodes a snowflake with the layout of each generator that it fits.
     *
     * @param action {@code decode}
     * @param id the id
     * @return the parts of the id; {@code null} for another action, or without a snowflake generator
     */
    @ReadOperation
    public Decoded decode(@Selector String action, @Selector String id) {
        if (!action.equals("decode") || generators.snowflakes().isEmpty()) {
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
