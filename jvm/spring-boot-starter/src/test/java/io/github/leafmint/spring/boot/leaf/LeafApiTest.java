package io.github.leafmint.spring.boot.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What a client of a Leaf server gets from a web application. */
@Timeout(60)
class LeafApiTest {
    private static final String NAME = UUID.randomUUID().toString();
    private static final String[] IDS = {
        "leafmint.segment.url=memory://" + NAME, "leafmint.segment.auto-create=false",
    };

    private static final WebApplicationContextRunner LEAF = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class, LeafApiAutoConfiguration.class))
            .withPropertyValues(IDS);

    @TempDir
    private static Path directory;

    private static ConfigurableApplicationContext leaf;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Minimal {}

    @BeforeAll
    static void start() {
        leaf = application(
                "leafmint.leaf-api.enabled=true",
                "leafmint.snowflake.url=local:" + directory,
                "leafmint.snowflake.workers=9");
        SegmentGenerator ids = leaf.getBean(SegmentGenerator.class);
        ids.createTag("order").create();
        ids.createTag("order.books 书").start(7001).create();
    }

    @AfterAll
    static void close() {
        leaf.close();
    }

    @Test
    void aSegmentIdIsAPlainDecimalText() throws Exception {
        HttpResponse<String> first = get("/api/segment/get/order");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        long id = Long.parseLong(first.body());
        assertThat(get("/api/segment/get/order").body()).isEqualTo(Long.toString(id + 1));
        assertThat(get("/api/segment/get/order/").body()).isEqualTo(Long.toString(id + 2));
        assertThat(post("/api/segment/get/order").body()).isEqualTo(Long.toString(id + 3));
    }

    @Test
    void aKeyIsTheTagWithItsDotsAndCharacters() throws Exception {
        assertThat(get("/api/segment/get/order.books%20%E4%B9%A6").body()).isEqualTo("7001");
    }

    @Test
    void aSnowflakeNeedsAnyKey() throws Exception {
        long id = Long.parseLong(get("/api/snowflake/get/test").body());
        assertThat(leaf.getBean(SnowflakeGenerator.class).decode(id).workerId()).isEqualTo(9);
        assertThat(Long.parseLong(get("/api/snowflake/get/other").body())).isGreaterThan(id);
    }

    @Test
    void noCacheOnTheWayMayKeepAnId() throws Exception {
        assertThat(get("/api/segment/get/order").headers().firstValue("Cache-Control"))
                .hasValue("no-store");
    }

    @Test
    void aFailureHasStatus500() throws Exception {
        for (String key : List.of("absent", "%20order", "x".repeat(129))) {
            HttpResponse<String> failure = get("/api/segment/get/" + key);
            assertThat(failure.statusCode()).as(key).isEqualTo(500);
            assertThat(failure.body()).contains("500").doesNotMatch("-?[0-9]+");
        }
        assertThat(get("/api/segment/get/").statusCode()).isEqualTo(404);
    }

    @Test
    void aDecodedIdHasLeafsNamesAndTexts() throws Exception {
        Map<String, String> parts = decoded("/decodeSnowflakeId?snowflakeId=2116681624581074986");
        String time = LocalDateTime.ofInstant(Instant.parse("2026-11-01T00:00:00Z"), ZoneId.systemDefault())
                .toString();
        assertThat(parts)
                .isEqualTo(Map.of(
                        "timestamp",
                        "1793491200000(" + time.replace('T', ' ') + ":00.000)",
                        "workerId",
                        "7",
                        "sequenceId",
                        "42"));
        assertThat(decoded("/decodeSnowflakeId?snowflakeId=order")).containsOnlyKeys("errorMsg");
        assertThat(decoded("/decodeSnowflakeId?snowflakeId=-1")).containsOnlyKeys("errorMsg");
        assertThat(get("/decodeSnowflakeId").statusCode()).isEqualTo(400);
    }

    @Test
    void webFluxAnswersTheSame() throws Exception {
        try (var reactive = application(
                "leafmint.leaf-api.enabled=true",
                "spring.main.web-application-type=reactive",
                "leafmint.snowflake.url=local:" + directory)) {
            HttpResponse<String> first = get(reactive, "/api/segment/get/order");
            assertThat(first.headers().map())
                    .containsEntry("Cache-Control", List.of("no-store"))
                    .hasEntrySatisfying("Content-Type", types -> assertThat(types.toString())
                            .contains("text/plain"));
            assertThat(Long.parseLong(first.body())).isPositive();
            long id = Long.parseLong(get(reactive, "/api/snowflake/get/test/").body());
            assertThat(get(reactive, "/decodeSnowflakeId?snowflakeId=" + id).body())
                    .contains("\"workerId\":\"0\"");
            for (String key : List.of("absent", "%20order")) {
                HttpResponse<String> failure = get(reactive, "/api/segment/get/" + key);
                assertThat(failure.statusCode()).as(key).isEqualTo(500);
                assertThat(failure.body()).contains("500");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    @ExtendWith(OutputCaptureExtension.class)
    void refusedCallsAreNotLoggedOneByOne(String type, CapturedOutput output) throws Exception {
        try (var refusing = application("leafmint.leaf-api.enabled=true", "spring.main.web-application-type=" + type)) {
            for (int call = 0; call < 20; call++) {
                assertThat(get(refusing, "/api/segment/get/absent").statusCode())
                        .isEqualTo(500);
                assertThat(get(refusing, "/api/snowflake/get/test").statusCode())
                        .isEqualTo(500);
            }
        }
        assertThat(output.getAll().lines().filter(line -> line.matches(".* (WARN|ERROR) .*")))
                .as(output.getAll())
                .hasSizeLessThan(3);
    }

    @Test
    void withoutThePropertyThereAreNoSuchPaths() {
        LEAF.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafController.class));
        LEAF.withPropertyValues("leafmint.leaf-api.enabled=true", "leafmint.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafController.class));
    }

    @Test
    void withoutSnowflakesTheirPathFailsAndLeafsIdsAreDecoded() {
        LEAF.withPropertyValues("leafmint.leaf-api.enabled=true").run(context -> {
            LeafController paths = context.getBean(LeafController.class);
            assertThatThrownBy(() -> paths.snowflakeId("test"))
                    .isInstanceOf(LeafApiException.class)
                    .hasMessageContaining("leafmint.snowflake.enabled");
            assertThat(paths.decode("2116681624581074986")).containsEntry("workerId", "7");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void leafsPagesAreJsonUnderTheirOwnProperty(String type) throws Exception {
        assertThat(get("/cache").statusCode()).isEqualTo(404);
        assertThat(get("/db").statusCode()).isEqualTo(404);
        try (var monitored = application(
                "leafmint.leaf-api.enabled=true",
                "leafmint.leaf-api.monitor=true",
                "leafmint.segment.url=memory://" + UUID.randomUUID(),
                "leafmint.segment.max-step=10",
                "spring.main.web-application-type=" + type)) {
            SegmentGenerator ids = monitored.getBean(SegmentGenerator.class);
            ids.createTag("order").start(1L << 60).step(10).create();
            ids.tag("order").nextIds(3);
            while (ids.tag("order").stats().unused() < 17) {
                Thread.sleep(10); // The second segment arrives in the background.
            }
            JsonNode cache =
                    new ObjectMapper().readTree(get(monitored, "/cache").body());
            assertThat(cache.toString())
                    .isEqualTo("[{\"key\":\"order\",\"max\":\"" + ((1L << 60) + 19)
                            + "\",\"idle\":\"17\",\"step\":\"10\",\"nextReady\":true,\"initOk\":true}]");
            HttpResponse<String> db = get(monitored, "/db");
            assertThat(db.headers().firstValue("Cache-Control")).hasValue("no-store");
            JsonNode row = new ObjectMapper().readTree(db.body()).get(0);
            assertThat(row.get("key").textValue()).isEqualTo("order");
            assertThat(row.get("maxId").textValue()).isEqualTo(Long.toString((1L << 60) + 20));
            assertThat(row.get("step").textValue()).isEqualTo("10");
            assertThat(row.has("updateTime")).isTrue();
            ids.close();
            assertThat(get(monitored, "/db").statusCode()).isEqualTo(500);
        }
    }

    private static ConfigurableApplicationContext application(String... properties) {
        var all = new ArrayList<String>(List.of(
                "server.port=0",
                "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                "spring.main.banner-mode=off",
                "logging.level.root=warn"));
        all.addAll(List.of(IDS));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(Minimal.class)
                .properties(all.toArray(String[]::new))
                .run();
    }

    private static Map<String, String> decoded(String path) throws Exception {
        return new ObjectMapper()
                .readerForMapOf(String.class)
                .readValue(get(path).body());
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return get(leaf, path);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        return send(request(context, path).build());
    }

    private static HttpResponse<String> post(String path) throws Exception {
        return send(request(leaf, path).POST(BodyPublishers.noBody()).build());
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext context, String path) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
