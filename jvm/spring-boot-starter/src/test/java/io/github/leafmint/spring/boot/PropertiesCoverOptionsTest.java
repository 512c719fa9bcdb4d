package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.BuilderOptions;
import io.github.leafmint.Leafmint;
import io.github.leafmint.OptionSpec;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Every option of the core has a property, and every property reaches the core. */
class PropertiesCoverOptionsTest {
    /** Spring closes the generators, so there is no property for it. */
    private static final String SPRINGS_OWN = "close_at_exit";

    private static final Source ANYWHERE = new Source.Url("memory:", "u", "p");

    @Test
    void everyPropertyOfSegmentsReachesTheBuilder() {
        LeafmintProperties properties = bind("leafmint.segment.", Leafmint.segmentOptions());
        Map<String, Object> passed = BuilderOptions.of(SegmentOpening.builderOf(properties.segment(), ANYWHERE, null));
        Set<String> expected = names(Leafmint.segmentOptions());
        assertThat(passed.keySet()).isEqualTo(expected);
        var typed = SegmentGenerator.builder("memory:")
                .timeout(Duration.ofMillis(500))
                .maxStep(7);
        assertThat(passed)
                .containsAllEntriesOf(BuilderOptions.of(typed))
                .containsEntry("eager", true)
                .containsEntry("sequence_optimizer", "pooled_lo");
    }

    @Test
    void everyPropertyOfSnowflakesReachesTheBuilder() {
        LeafmintProperties properties = bind("leafmint.snowflake.", Leafmint.snowflakeOptions());
        Map<String, Object> passed =
                BuilderOptions.of(SnowflakeOpening.builderOf(properties.snowflake(), ANYWHERE, null));
        Set<String> expected = names(Leafmint.snowflakeOptions());
        // A list of its own in the builder.
        expected.remove("worker_map");
        assertThat(passed.keySet()).isEqualTo(expected);
        var typed = SnowflakeGenerator.builder("fixed:7")
                .heartbeat(Duration.ofMillis(500))
                .epoch(Instant.parse("2025-01-01T00:00:00Z"));
        assertThat(passed).containsAllEntriesOf(BuilderOptions.of(typed));
        assertThat(passed).containsEntry("worker_mode", "endpoint").containsEntry("ssl_mode", "verify_identity");
    }

    /** The enums of choices are written by hand, because each constant has a comment. */
    @Test
    void eachChoiceHasAConstantForEachValue() {
        assertThat(constants(LeafmintProperties.Segment.class)).isEqualTo(choices(Leafmint.segmentOptions()));
        assertThat(constants(LeafmintProperties.Snowflake.class)).isEqualTo(choices(Leafmint.snowflakeOptions()));
    }

    private static Map<String, List<String>> constants(Class<? extends Record> properties) {
        return Stream.of(properties.getRecordComponents())
                .filter(component -> component.getType().isEnum())
                .collect(Collectors.toMap(RecordComponent::getName, component -> Stream.of(
                                component.getType().getEnumConstants())
                        .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                        .toList()));
    }

    private static Map<String, List<String>> choices(List<OptionSpec> options) {
        return options.stream()
                .filter(option -> option.shape().equals("choice"))
                .collect(Collectors.toMap(option -> camelCase(option.name()), PropertiesCoverOptionsTest::values));
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(.)").matcher(name).replaceAll(match -> match.group(1)
                .toUpperCase(Locale.ROOT));
    }

    private static List<String> values(OptionSpec option) {
        return List.of(option.values().replace('-', '_').split(", "));
    }

    private static LeafmintProperties bind(String prefix, List<OptionSpec> options) {
        var values = new LinkedHashMap<String, String>();
        for (OptionSpec option : options) {
            values.put(prefix + option.name().replace('_', '-'), sample(option));
        }
        values.remove(prefix + "worker-map");
        var source = new MapConfigurationPropertySource(values);
        return new Binder(source).bindOrCreate("leafmint", LeafmintProperties.class);
    }

    private static String sample(OptionSpec option) {
        return switch (option.name()) {
            case "epoch" -> "2025-01-01T00:00:00Z";
            case "worker_mode" -> "ENDPOINT";
            default ->
                switch (option.shape()) {
                    case "choice" ->
                        values(option).get(values(option).size() - 1).replace('_', '-');
                    case "duration" -> "500ms";
                    case "boolean" -> "true";
                    case "count" -> "7";
                    default -> "text";
                };
        };
    }

    private static Set<String> names(List<OptionSpec> options) {
        Set<String> names = options.stream().map(OptionSpec::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(names.remove(SPRINGS_OWN)).isTrue();
        return names;
    }
}
