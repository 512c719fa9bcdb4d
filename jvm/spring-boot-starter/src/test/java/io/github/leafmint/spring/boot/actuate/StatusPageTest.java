package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.leafmint.IdFormat;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SeriesPeriod;
import java.io.File;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the actuator, and the status document next to it. */
@Timeout(60)
class StatusPageTest {
    @TempDir
    private Path directory;

    private WebApplication start(String... properties) {
        var all = new ArrayList<>(List.of(
                "leafmint.segment.url=sqlite:///" + directory + "/ids.db?connect_timeout=50ms",
                "leafmint.snowflake.url=local:" + directory + "/workers"));
        all.addAll(List.of(properties));
        return WebApplication.start(all.toArray(String[]::new));
    }

    /** Compares the keys of two documents, and the kind of each value that both have. */
    private static void assertAlike(JsonNode found, JsonNode example, String path) {
        if (found.isNull() || example.isNull()) {
            return;
        }
        assertThat(found.getNodeType()).as(path).isEqualTo(example.getNodeType());
        if (found.isObject()) {
            assertThat(names(found)).as(path).isEqualTo(names(example));
            found.properties()
                    .forEach(each ->
                            assertAlike(each.getValue(), example.get(each.getKey()), path + "/" + each.getKey()));
        }
        if (found.isArray() && !found.isEmpty() && !example.isEmpty()) {
            assertAlike(found.get(0), example.get(0), path + "/0");
        }
    }

    private static Set<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    @Test
    void theDocumentHasTheKeysOfTheExample() throws Exception {
        try (var shop = start()) {
            SegmentGenerator ids = shop.bean(SegmentGenerator.class);
            ids.createTag("order").start(1L << 60).description("orders").create();
            ids.tag("order").nextIds(3);
            ids.series("invoice")
                    .period(SeriesPeriod.YEAR)
                    .zone(ZoneId.of("Europe/Madrid"))
                    .format(IdFormat.of("{year}/{number:4}"))
                    .open()
                    .next();
            shop.snowflakes().nextId();
            var found = (ObjectNode) shop.json("leafmint/status.json");
            assertThat(found.get("errors")).as(found.toString()).isEmpty();
            assertThat(found.at("/tags/0/max_id").textValue()).startsWith("11529215046068");
            assertThat(found.at("/series/0/left").textValue()).matches("99[0-9]{2}");
            assertThat(found.get("not_shown").intValue()).isEqualTo(1);
            assertThat(Instant.parse(found.get("read").textValue()))
                    .isBetween(Instant.now().minusSeconds(60), Instant.now());
            var example = (ObjectNode) new ObjectMapper().readTree(new File("../../tests/vectors/status.json"));
            ((ObjectNode) found.at("/process/tags")).remove("invoice@year");
            ((ObjectNode) example.get("store")).putNull("hosts");
            assertAlike(found, example, "");
            assertThat(found.get("workers")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void thePageReadsTheDocumentNextToItAndNothingElse(String type) {
        try (var shop = start("spring.main.web-application-type=" + type);
                var apart = start("spring.main.web-application-type=" + type, "management.server.port=0")) {
            for (WebApplication each : List.of(shop, apart)) {
                each.tag("order").nextId();
                HttpResponse<String> page = each.answer("leafmint/page.html");
                assertThat(page.statusCode()).isEqualTo(200);
                assertThat(page.body()).contains("\"status.json\"");
                assertHeaders(page, "text/html;charset=UTF-8");
                assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                        .contains("connect-src 'self'");
                HttpResponse<String> status = each.answer("leafmint/status.json");
                assertThat(status.body()).contains("\"order\"");
                assertHeaders(status, "application/json");
                assertThat(each.status("leafmint/page.txt")).isEqualTo(404);
                assertThat(each.status("leafmint/tags/order")).isEqualTo(200);
            }
        }
    }

    private static void assertHeaders(HttpResponse<String> answer, String type) {
        assertThat(answer.headers().map())
                .containsEntry("Content-Type", List.of(type))
                .containsEntry("Cache-Control", List.of("no-store"))
                .containsEntry("X-Content-Type-Options", List.of("nosniff"))
                .hasEntrySatisfying("Content-Security-Policy", policies -> assertThat(policies)
                        .singleElement()
                        .asString()
                        .startsWith("default-src 'none'")
                        .endsWith("; frame-ancestors 'none'"));
    }

    @Test
    void thereIsNoPageUnlessTheEndpointIsExposed() {
        try (var shop = start("management.endpoints.web.exposure.include=health");
                var withoutAccess = start("management.endpoint.leafmint.access=none")) {
            for (WebApplication each : List.of(shop, withoutAccess)) {
                assertThat(each.status("leafmint/page.html")).isEqualTo(404);
                assertThat(each.status("leafmint/status.json")).isEqualTo(404);
                assertThat(each.status("health")).isEqualTo(200);
            }
        }
    }

    @Test
    void aStoreThatIsAwayIsAnErrorOfThatPartAlone() {
        try (var shop = start("leafmint.segment.url=mysql://user:hunter2@192.0.2.1/shop")) {
            shop.snowflakes().nextId();
            long begun = System.nanoTime();
            JsonNode found = shop.json("leafmint/status.json");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
            assertThat(found.get("errors")).as(found.toString()).hasSize(1);
            assertThat(found.at("/errors/0/part").textValue()).isEqualTo("store");
            assertThat(found.at("/errors/0/code").textValue()).isEqualTo("store_unavailable");
            assertThat(found.at("/store/scope").textValue()).contains("192.0.2.1");
            assertThat(found.at("/store/answered").isNull()).isTrue();
            assertThat(found.at("/holder/free_workers").longValue()).isEqualTo(1023);
            assertThat(found.at("/process/snowflake/worker_id").longValue()).isZero();
            assertThat(found.toString()).doesNotContain("hunter2");
        }
    }

    @Test
    void namesOfTagsAreEscaped() {
        try (var shop = start()) {
            String name = "</script>\u2028\u0007\"\\ 书";
            shop.tag(name).nextId();
            assertThat(shop.text("leafmint/status.json")).doesNotContain("<").doesNotContain("\u2028");
            assertThat(shop.json("leafmint/status.json").at("/tags/0/name").textValue())
                    .isEqualTo(name);
        }
    }
}
