package io.github.leafmint.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintProperties;
import io.github.leafmint.spring.boot.actuate.WebApplication;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** What stores say, as meters. Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class StoreMetersTest {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private static void until(BooleanSupplier isSo) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static double value(MeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    private SnowflakeGenerator local() {
        return SnowflakeGenerator.open("local:" + directory + "/workers?workers=0-9");
    }

    @Test
    void aScrapeHasWhatTheStoreSaysUnderTheNamesOfEveryLanguage() throws Exception {
        var properties = new ArrayList<>(List.of(TestDatabase.properties("leafmint_store_meters")));
        String server = System.getenv("LEAFMINT_TEST_MYSQL");
        String namespace = "meters-" + UUID.randomUUID();
        properties.addAll(List.of(
                "spring.autoconfigure.exclude=",
                "spring.jpa.open-in-view=false",
                "leafmint.snowflake.url=" + server + "?auto_create=true&state_files=false&workers=0-9&namespace="
                        + namespace,
                "leafmint.metrics.store-every=1h",
                "leafmint.metrics.audit=true",
                "leafmint.metrics.max-tags=1"));
        try (var shop = WebApplication.start(properties.toArray(String[]::new))) {
            var rows = shop.bean(JdbcTemplate.class);
            for (int table = 1; table <= 2; table++) {
                rows.execute("CREATE OR REPLACE TABLE bills_" + table + " (id INT PRIMARY KEY)");
                rows.update("INSERT INTO bills_" + table + " VALUES (" + table + "000000000)");
            }
            shop.snowflakes().nextId();
            until(() -> shop.text("prometheus").contains("leafmint_worker_ids_free{generator=\"snowflakes\"} 9.0"));
            until(() -> shop.text("prometheus").contains("leafmint_key_used_ratio{"));
            System.gc();
            String scrape = shop.text("prometheus");
            for (JsonNode meter : vectors()) {
                if (Set.of("holder", "key", "read").contains(meter.get("of").textValue())) {
                    String name = meter.get("prometheus").textValue();
                    String labels = String.join(
                            ",",
                            StreamSupport.stream(meter.get("labels").spliterator(), false)
                                    .map(label -> label.textValue() + "=\"[^\"]+\"")
                                    .toList());
                    assertThat(scrape)
                            .contains("# TYPE " + name + " gauge\n")
                            .contains("# HELP " + name + " "
                                    + meter.get("meaning").textValue() + "\n")
                            .containsPattern("\n" + name + "\\{" + labels + "} [-0-9.E]+\n");
                }
            }
            assertThat(scrape)
                    .contains("leafmint_worker_ids{generator=\"snowflakes\"} 10.0")
                    .contains("leafmint_worker_ids_free{generator=\"snowflakes\"} 9.0")
                    .contains("leafmint_key_used_ratio{column=\"id\",table=\"bills_2\"} 0.93132257")
                    .contains("leafmint_store_read_age_seconds{part=\"holder\"}")
                    .contains("leafmint_store_read_age_seconds{part=\"keys\"}")
                    .doesNotContain("bills_1");
        }
    }

    private static JsonNode vectors() throws Exception {
        return new ObjectMapper().readTree(new File("../../tests/vectors/meters.json"));
    }

    @Test
    void aHolderIsAskedOncePerInterval() {
        var registry = new SimpleMeterRegistry();
        try (var flakes = local()) {
            flakes.nextId();
            new HolderMeters(Map.of("snowflakes", flakes), HOUR).bindTo(registry);
            until(() -> value(registry, "leafmint.worker_ids.free") == 9);
            var often = new SimpleMeterRegistry();
            new HolderMeters(Map.of("snowflakes", flakes), MOMENT).bindTo(often);
            try (var other = local()) {
                other.nextId();
                until(() -> value(registry, "leafmint.store.read.age") > 0.2);
                assertThat(value(registry, "leafmint.worker_ids.free")).isEqualTo(9);
                assertThat(value(registry, "leafmint.clock_skew")).isNaN();
                until(() -> value(often, "leafmint.worker_ids.free") == 8);
            }
            until(() -> value(often, "leafmint.worker_ids.free") == 9);
        }
    }

    @Test
    void aClosedGeneratorShowsNothingAndIsNoFailure(CapturedOutput output) {
        var registry = new SimpleMeterRegistry();
        var flakes = local();
        new HolderMeters(Map.of("snowflakes", flakes), MOMENT).bindTo(registry);
        until(() -> value(registry, "leafmint.worker_ids.free") == 10);
        flakes.close();
        until(() -> Double.isNaN(value(registry, "leafmint.worker_ids.free")));
        assertThat(output).doesNotContain("could not be read");
    }

    @Test
    void aHolderThatIsAwayIsLoggedOnceAndKeepsNoGenerator(CapturedOutput output) throws Exception {
        var registry = new SimpleMeterRegistry();
        WeakReference<SnowflakeGenerator> dropped = readAndClose(registry, output);
        until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        assertThat(value(registry, "leafmint.store.read.age")).isNaN();
    }

    private static WeakReference<SnowflakeGenerator> readAndClose(MeterRegistry registry, CapturedOutput output) {
        var flakes =
                SnowflakeGenerator.open("mysql://root:s3ntinel@127.0.0.1:1/shop?connect_timeout=50ms&timeout=100ms");
        new HolderMeters(Map.of("snowflakes", flakes), MOMENT).bindTo(registry);
        until(() -> {
            assertThat(value(registry, "leafmint.worker_ids")).isNaN();
            return value(registry, "leafmint.store.read.age") > 1;
        });
        assertThat(output)
                .contains("the meters of the part holder could not be read")
                .doesNotContain("s3ntinel");
        assertThat(output.getAll().split("could not be read", -1)).hasSize(2);
        flakes.close();
        return new WeakReference<>(flakes);
    }

    @Test
    void anIntervalThatIsNotPositiveIsRefused() {
        for (String every : List.of("0s", "-1m")) {
            new ApplicationContextRunner()
                    .withUserConfiguration(Bound.class)
                    .withPropertyValues("leafmint.metrics.store-every=" + every)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasStackTraceContaining("leafmint.metrics.store-every is not positive"));
        }
    }

    @EnableConfigurationProperties(LeafmintProperties.class)
    static class Bound {}
}
