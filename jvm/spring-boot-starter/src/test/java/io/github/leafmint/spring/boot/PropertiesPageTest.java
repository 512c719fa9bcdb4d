package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.Leafmint;
import io.github.leafmint.OptionSpec;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The page of the properties and the metadata for IDEs have every property, with the defaults of the core. */
class PropertiesPageTest {
    private static final Path PAGE = Path.of("../../docs/reference/spring-properties.md");

    private final Map<String, JsonNode> metadata = new TreeMap<>();

    PropertiesPageTest() throws IOException {
        String file = "/META-INF/spring-configuration-metadata.json";
        try (InputStream json = LeafmintProperties.class.getResourceAsStream(file)) {
            JsonNode properties = new ObjectMapper().readTree(json).get("properties");
            StreamSupport.stream(properties.spliterator(), false)
                    .filter(property ->
                            property.path("sourceType").asText().startsWith(LeafmintProperties.class.getName()))
                    .forEach(property -> metadata.put(property.get("name").asText(), property));
        }
    }

    @Test
    void thePageHasTheRowsOfTheMetadata() throws IOException {
        assertThat(rows())
                .filteredOn(row -> !row.contains("tags.<name>."))
                .containsExactlyInAnyOrderElementsOf(
                        metadata.values().stream().map(PropertiesPageTest::row).toList());
    }

    @Test
    void thePageHasEveryPropertyOfATag() throws IOException {
        List<String> names = rows().stream()
                .filter(row -> row.contains("tags.<name>."))
                .map(row -> row.replaceAll("^.*<name>\\.([a-z-]+)`.*$", "$1"))
                .toList();
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(LeafmintProperties.Tag.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase())
                        .toList());
    }

    @Test
    void everyDefaultIsTheCores() {
        assertDefaults("leafmint.segment.", Leafmint.options());
        assertDefaults("leafmint.snowflake.", Leafmint.snowflakeOptions());
    }

    @Test
    void everyPropertyIsDescribed() {
        assertThat(metadata).hasSizeGreaterThan(40).allSatisfy((name, property) -> assertThat(
                        property.path("description").asText())
                .isNotEmpty()
                .matches(".*[.]"));
    }

    private void assertDefaults(String prefix, List<OptionSpec> options) {
        var expected = new TreeMap<String, String>();
        options.stream()
                .filter(option -> !option.defaultValue().isEmpty())
                .forEach(option -> expected.put(prefix + option.name().replace('_', '-'), option.defaultValue()));
        expected.remove(prefix + "close-at-exit");
        var own = new TreeSet<>(List.of(prefix + "enabled", prefix + "init-schema"));
        var found = new TreeMap<String, String>();
        metadata.forEach((name, property) -> {
            if (name.startsWith(prefix) && property.has("defaultValue") && !own.contains(name)) {
                found.put(name, property.get("defaultValue").asText());
            }
        });
        assertThat(found).isEqualTo(expected);
    }

    private static String row(JsonNode property) {
        String value = property.path("defaultValue").asText();
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        property.get("name").asText(),
                        shape(property.get("type").asText()),
                        value.isEmpty() ? "" : "`" + value + "`",
                        property.get("description").asText())
                .replace("|  |", "| |");
    }

    private static String shape(String type) {
        return switch (type.replaceAll("^.*[.$]", "")) {
            case "Boolean" -> "true or false";
            case "Long" -> "number";
            case "Duration" -> "duration";
            case "Instant" -> "time";
            case "SslMode" -> choices(LeafmintProperties.SslMode.values());
            case "WorkerMode" -> choices(LeafmintProperties.WorkerMode.values());
            case "Clock" -> choices(LeafmintProperties.Clock.values());
            case "ClockRollback" -> choices(LeafmintProperties.ClockRollback.values());
            default -> type.contains("Map") ? "map" : "text";
        };
    }

    private static String choices(Enum<?>[] values) {
        return String.join(
                ", ",
                Arrays.stream(values)
                        .map(value -> "`" + value.name().toLowerCase().replace('_', '-') + "`")
                        .toList());
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `leafmint."))
                .toList();
    }
}
