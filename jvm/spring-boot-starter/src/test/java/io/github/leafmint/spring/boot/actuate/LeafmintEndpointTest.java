package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagStats;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LeafmintEndpointTest {
    @TempDir
    private static Path directory;

    private static WebApplication shop;

    @BeforeAll
    static void start() {
        shop = WebApplication.start(
                "leafmint.segment.url=sqlite:///" + directory + "/ids.db",
                "leafmint.snowflake.url=local:" + directory + "/workers",
                "leafmint.snowflake.workers=9");
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @Test
    void itDescribesBothGeneratorsAndMintsNothing() {
        shop.tag("order").nextIds(10);
        long last = shop.snowflakes().nextId();
        Instant before = Instant.now();
        JsonNode all = shop.json("leafmint");
        JsonNode segments = all.at("/segments/segments");
        assertThat(segments.at("/scope").textValue()).contains("ids.db");
        assertThat(segments.at("/tags/order/issued").textValue()).isEqualTo("10");
        assertThat(segments.at("/tags/order/unused").textValue()).isEqualTo("990");
        assertThat(segments.at("/tags/order/failuresInARow").textValue()).isEqualTo("0");
        assertThat(segments.at("/tags/order").has("lastError")).isFalse();
        JsonNode snowflakes = all.at("/snowflakes/snowflakes");
        assertThat(snowflakes.at("/workerId").longValue()).isEqualTo(9);
        assertThat(snowflakes.at("/holder").textValue()).isEqualTo("local");
        assertThat(Instant.parse(snowflakes.at("/horizon").textValue()))
                .isBetween(before, Instant.now().plusSeconds(60));
        assertThat(snowflakes.at("/layout/fingerprint").textValue())
                .isEqualTo(shop.snowflakes().layout().fingerprint());
        shop.json("leafmint/decode/" + last);
        JsonNode later = shop.json("leafmint/tags/order");
        assertThat(later.at("/segments/segments/issued").textValue()).isEqualTo("10");
    }

    @Test
    void itDescribesOneTag() {
        for (String name : List.of("order of books", "order/of/books", "decode/1")) {
            shop.tag(name).nextIds(3);
            JsonNode tag = shop.json("leafmint/tags/" + name.replace(" ", "%20"));
            assertThat(tag.at("/tag").textValue()).isEqualTo(name);
            assertThat(tag.at("/segments/segments/issued").textValue()).isEqualTo("3");
        }
        assertThat(shop.status("leafmint/tags/absent")).isEqualTo(404);
        assertThat(shop.status("leafmint/tags")).isEqualTo(404);
        assertThat(shop.status("leafmint/order")).isEqualTo(404);
    }

    @Test
    void itDecodesASnowflakeAndRefusesWhatIsNone() {
        long id = shop.snowflakes().nextId();
        JsonNode decoded = shop.json("leafmint/decode/" + id);
        JsonNode parts = decoded.at("/snowflakes/snowflakes");
        assertThat(decoded.at("/id").textValue()).isEqualTo(Long.toString(id));
        assertThat(parts.at("/workerId").longValue()).isEqualTo(9);
        assertThat(Instant.parse(parts.at("/timestamp").textValue()))
                .isEqualTo(shop.snowflakes().decode(id).timestamp());
        assertThat(shop.status("leafmint/decode/-1")).isEqualTo(400);
        assertThat(shop.status("leafmint/decode/order")).isEqualTo(400);
        assertThat(shop.status("leafmint/decode/9223372036854775808")).isEqualTo(400);
        assertThat(shop.status("leafmint/decode/1/2")).isEqualTo(400);
        assertThat(shop.status("leafmint/encode/1")).isEqualTo(404);
    }

    @Test
    void itWorksWithOneGeneratorAlone() {
        try (var segments = WebApplication.start("leafmint.segment.url=memory:");
                var snowflakes = WebApplication.start("leafmint.snowflake.url=local:" + directory + "/alone")) {
            assertThat(segments.json("leafmint").at("/snowflakes")).isEmpty();
            assertThat(segments.status("leafmint/decode/1")).isEqualTo(404);
            assertThat(snowflakes.json("leafmint").at("/segments")).isEmpty();
            assertThat(snowflakes.json("leafmint").at("/snowflakes/snowflakes").has("workerId"))
                    .isFalse();
        }
    }

    @Test
    void itShowsNoPassword() {
        try (var away = WebApplication.start(
                "leafmint.segment.url=mysql://user:hunter2@127.0.0.1:1/shop", "leafmint.segment.timeout=50ms")) {
            assertThatThrownBy(away.tag("order")::nextId);
            assertThat(away.text("leafmint") + away.text("health") + away.text("prometheus"))
                    .contains("127.0.0.1")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void itsSelectorsHaveNamesWhateverTheApplicationIsCompiledWith() {
        for (Method method : LeafmintEndpoint.class.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                assertThat(method.getParameters()).as(method.getName()).allMatch(Parameter::isNamePresent);
            }
        }
    }

    @Test
    void itHasEveryFigure() {
        assertFigures(TagStats.class, LeafmintDescriptors.Tag.class);
        assertFigures(SegmentStats.class, LeafmintDescriptors.Segments.class);
        assertFigures(SnowflakeStats.class, LeafmintDescriptors.Snowflakes.class);
    }

    /** Times have their unit in the name. */
    private static void assertFigures(Class<?> figures, Class<?> shown) {
        List<String> names = Arrays.stream(shown.getRecordComponents())
                .map(component -> component.getName().replaceAll("(Seconds|Millis)$", ""))
                .toList();
        assertThat(names)
                .containsAll(Arrays.stream(figures.getDeclaredMethods())
                        .map(method -> method.getName().replaceAll("Duration$", ""))
                        .toList());
    }
}
