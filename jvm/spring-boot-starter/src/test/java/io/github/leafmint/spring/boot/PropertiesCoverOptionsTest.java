package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.BuilderOptions;
import io.github.leafmint.Leafmint;
import io.github.leafmint.OptionSpec;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Every option of the core has a property, and every property reaches the core. */
class PropertiesCoverOptionsTest {
    /** Spring closes the generators, so there is no property for it. */
    private static final String SPRINGS_OWN = "close_at_exit";

    private static final LeafmintConnectionDetails DETAILS = LeafmintConnectionDetails.of("memory:", "u", "p");

    @Test
    void everyPropertyOfSegmentsReachesTheBuilder() {
        LeafmintProperties properties = bind("leafmint.segment.", Leafmint.options());
        Map<String, Object> passed = BuilderOptions.of(SegmentOpening.builderOf(properties.segment(), DETAILS, null));
        Set<String> expected = names(Leafmint.options());
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
                BuilderOptions.of(SnowflakeOpening.builderOf(properties.snowflake(), DETAILS, null));
        Set<String> expected = names(Leafmint.snowflakeOptions());
        // A list of its own in the builder.
        expected.remove("worker_map");
        assertThat(passed.keySet()).isEqualTo(expected);
        var typed = SnowflakeGenerator.builder("fixed:7")
                .heartbeat(Duration.ofMillis(500))
                .epoch(Instant.parse("2025-01-01T00:00:00Z"));
        assertThat(passed).containsAllEntriesOf(BuilderOptions.of(typed));
        assertThat(passed).containsEntry("worker_mode", "fixed").containsEntry("ssl_mode", "verify_ca");
    }

    private static LeafmintProperties bind(String prefix, List<OptionSpec> options) {
        var values = new LinkedHashMap<String, String>();
        for (OptionSpec option : options) {
            values.put(prefix + option.name().replace('_', '-'), sample(option));
        }
        values.remove(prefix + "tags");
        values.remove(prefix + "worker-map");
        var source = new MapConfigurationPropertySource(values);
        return new Binder(source).bindOrCreate("leafmint", LeafmintProperties.class);
    }

    private static String sample(OptionSpec option) {
        return switch (option.name()) {
            case "ssl_mode" -> "verify-ca";
            case "sequence_optimizer" -> "pooled-lo";
            case "worker_mode" -> "FIXED";
            case "clock" -> "system";
            case "clock_rollback" -> "wait";
            case "epoch" -> "2025-01-01T00:00:00Z";
            default ->
                switch (option.shape()) {
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
