package io.github.leafmint.test;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeGeneratorBuilder;
import io.github.leafmint.Tag;
import io.github.leafmint.TagOptions;
import io.github.leafmint.VirtualClock;
import java.lang.reflect.AnnotatedElement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The generators of one test, opened when the test first needs them. */
final class IdsOfOneTest implements AutoCloseable {
    private final VirtualClock clock;
    private final Map<List<Object>, SnowflakeGenerator> snowflakes = new HashMap<>();
    private @Nullable SegmentGenerator segments;

    IdsOfOneTest(Instant start) {
        clock = VirtualClock.at(start);
    }

    /**
     * Returns the object of a type that {@code ids} asks for.
     *
     * @param ids {@code null} if the target has no annotation
     * @param target the field or parameter, for messages
     */
    synchronized Object find(Class<?> type, @Nullable TestIds ids, AnnotatedElement target) {
        if (type == VirtualClock.class) {
            return clock;
        }
        if (type == SegmentGenerator.class) {
            return segments();
        }
        return type == Tag.class ? tag(ids, target) : snowflakes(ids, target);
    }

    private SegmentGenerator segments() {
        if (segments == null) {
            segments = TestGenerators.segments(clock);
        }
        return segments;
    }

    private Tag tag(@Nullable TestIds ids, AnnotatedElement target) {
        if (ids == null || ids.value().isEmpty()) {
            throw new ExtensionConfigurationException("name the tag of " + target + ", as in @TestIds(\"order\")");
        }
        return segments()
                .tag(ids.value(), new TagOptions().geneBits(ids.geneBits()).order(ids.order()));
    }

    private SnowflakeGenerator snowflakes(@Nullable TestIds ids, AnnotatedElement target) {
        long workerId = ids == null ? 0 : ids.workerId();
        List<String> options = ids == null ? List.of() : List.of(ids.options());
        return snowflakes.computeIfAbsent(List.of(workerId, options), absent -> {
            SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(clock, workerId);
            options.forEach(option -> set(builder, option, target));
            return builder.open();
        });
    }

    private static void set(SnowflakeGeneratorBuilder builder, String option, AnnotatedElement target) {
        int equals = option.indexOf('=');
        if (equals < 0) {
            throw new ExtensionConfigurationException(
                    "the option \"" + option + "\" of " + target + " has no value: write it as in \"layout=wide\"");
        }
        builder.option(option.substring(0, equals), option.substring(equals + 1));
    }

    @Override
    public synchronized void close() {
        snowflakes.values().forEach(SnowflakeGenerator::close);
        if (segments != null) {
            segments.close();
        }
    }
}
