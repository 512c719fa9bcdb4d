package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    void thePageHasThePropertiesOfTheMetadata() throws IOException {
        assertThat(rows())
                .filteredOn(row -> !row.contains(".<name>."))
                .extracting(row -> row.split("`")[1])
                .containsExactlyInAnyOrderElementsOf(metadata.keySet());
    }

    @Test
    void thePageHasEveryPropertyOfATagASeriesAndASequence() throws IOException {
        thePageHasAll(LeafmintProperties.Tag.class, "tags");
        thePageHasAll(LeafmintProperties.NumberSeries.class, "series");
        thePageHasAll(LeafmintProperties.Gapless.class, "gapless");
    }

    private static void thePageHasAll(Class<? extends Record> properties, String of) throws IOException {
        List<String> names = rows().stream()
                .filter(row -> row.contains("." + of + ".<name>."))
                .map(row -> row.replaceAll("^.*<name>\\.([a-z-]+)`.*$", "$1"))
                .toList();
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(properties.getRecordComponents())
                        .map(RecordComponent::getName)
                        .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase())
                        .toList());
    }

    @Test
    void everyPropertyIsDescribed() {
        assertThat(metadata).hasSizeGreaterThan(40).allSatisfy((name, property) -> assertThat(
                        property.path("description").asText())
                .isNotEmpty()
                .matches(".*[.]"));
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("(\\| `leafmint[.].*|`leafmint[.][^`]+`[,.])"))
                .toList();
    }
}
