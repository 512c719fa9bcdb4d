package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentUnavailableException;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.StoreRegressedException;
import io.github.leafmint.Tag;
import io.github.leafmint.UnknownTagException;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

@Timeout(60)
class LeafmintHealthTest {
    @TempDir
    private Path directory;

    private String sqlite() {
        return "leafmint.segment.url=sqlite:///" + directory + "/ids.db?connect_timeout=50ms&max_step=1000";
    }

    private LockedDatabase lockDatabase() throws Exception {
        return new LockedDatabase(directory.resolve("ids.db"));
    }

    private static void useUp(Tag tag) throws InterruptedException {
        assertThatThrownBy(() -> {
                    for (int id = 0; id < 5_000_000; id++) {
                        tag.nextId(Duration.ofMillis(200));
                    }
                })
                .isInstanceOf(SegmentUnavailableException.class);
        while (tag.stats().failuresInARow() == 0) {
            Thread.sleep(10);
        }
    }

    @Test
    void healthIsUpWithDetailsOfBothGenerators() {
        try (var shop = WebApplication.start(
                sqlite(), "leafmint.snowflake.url=local:" + directory + "/workers", "leafmint.snowflake.workers=9")) {
            JsonNode unused = shop.json("health").at("/components/leafmint");
            assertThat(unused.at("/status").textValue()).isEqualTo("UP");
            assertThat(unused.at("/details/segments/tags")).isEmpty();
            assertThat(unused.at("/details/snowflakes").has("workerId")).isFalse();

            shop.tag("order").nextIds(10);
            shop.snowflakes().nextId();
            Instant before = Instant.now();
            JsonNode used = shop.json("health/leafmint");
            assertThat(used.at("/status").textValue()).isEqualTo("UP");
            assertThat(used.at("/details/segments/scope").textValue()).contains("ids.db");
            assertThat(used.at("/details/segments/tags/order/status").textValue())
                    .isEqualTo("UP");
            assertThat(used.at("/details/snowflakes/workerId").longValue()).isEqualTo(9);
            assertThat(Instant.parse(used.at("/details/snowflakes/horizon").textValue()))
                    .isBetween(before, Instant.now().plusSeconds(60));
        }
    }

    @Test
    void aLockedDatabaseIsOutOfServiceOnceNoIdIsInHandAndUpAgainAfterwards() throws Exception {
        try (var shop = WebApplication.start(sqlite())) {
            Tag order = shop.tag("order");
            order.nextIds(500, Duration.ofSeconds(30));
            try (var locked = lockDatabase()) {
                assertThat(locked).isNotNull();
                assertThat(shop.json("health/leafmint").at("/status").textValue())
                        .as("ids are in hand")
                        .isEqualTo("UP");
                useUp(order);
                JsonNode away = shop.json("health/leafmint");
                assertThat(away.at("/status").textValue()).as(away.toString()).isEqualTo("OUT_OF_SERVICE");
                assertThat(away.at("/details/segments/tags/order/status").textValue())
                        .isEqualTo("OUT_OF_SERVICE");
                assertThat(away.at("/details/segments/tags/order/lastError").textValue())
                        .contains("locked");
                assertThat(shop.status("health")).isEqualTo(503);
                assertThat(shop.status("health/liveness")).isEqualTo(200);
                assertThat(shop.status("health/readiness")).isEqualTo(200);
            }
            order.nextId(Duration.ofSeconds(30));
            JsonNode back = shop.json("health/leafmint");
            assertThat(back.at("/status").textValue()).as(back.toString()).isEqualTo("UP");
            assertThat(back.at("/details/segments/tags/order/lastError").textValue())
                    .contains("locked");
        }
    }

    @Test
    void aTagThatWasNeverInUseDoesNotEndTheServiceOfTheOthers() throws Exception {
        try (var shop = WebApplication.start(sqlite())) {
            Tag order = shop.tag("order");
            Tag idle = shop.tag("idle");
            order.nextIds(500, Duration.ofSeconds(30));
            try (var locked = lockDatabase()) {
                assertThat(locked).isNotNull();
                JsonNode away = shop.json("health/leafmint");
                while (!away.at("/details/segments/tags/order").has("lastError")) {
                    order.nextId();
                    away = shop.json("health/leafmint");
                }
                assertThat(away.at("/status").textValue()).as(away.toString()).isEqualTo("UP");
                useUp(idle);
                assertThat(shop.json("health/leafmint").at("/status").textValue())
                        .as("a call for the idle tag has failed")
                        .isEqualTo("OUT_OF_SERVICE");
            }
        }
    }

    @Test
    void healthReturnsByItselfWithoutACall() throws Exception {
        try (var shop = WebApplication.start(
                sqlite(), "management.endpoint.health.group.readiness.include=readinessState,leafmint")) {
            Tag order = shop.tag("order");
            order.nextId();
            try (var locked = lockDatabase()) {
                assertThat(locked).isNotNull();
                useUp(order);
                assertThat(shop.status("health/readiness")).isEqualTo(503);
                assertThat(shop.status("health/liveness")).isEqualTo(200);
            }
            Instant deadline = Instant.now().plusSeconds(30);
            while (shop.status("health/readiness") != 200) {
                assertThat(Instant.now()).isBefore(deadline);
                Thread.sleep(50);
            }
        }
    }

    @Test
    void aTagThatTheStoreDoesNotHaveIsAnErrorOfThatTagAlone() {
        try (var shop = WebApplication.start(sqlite(), "leafmint.segment.auto-create=false")) {
            assertThatThrownBy(shop.tag("odrer")::nextId).isInstanceOf(UnknownTagException.class);
            JsonNode health = shop.json("health/leafmint");
            assertThat(health.at("/status").textValue()).as(health.toString()).isEqualTo("UP");
            assertThat(health.at("/details/segments/tags/odrer/lastError").textValue())
                    .contains("odrer");
            assertThat(health.at("/details/segments/tags/odrer/lastErrorCode").textValue())
                    .isEqualTo("unknown_tag");
        }
    }

    /** Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
    @Test
    void aTableThatIsMissingIsOutOfServiceUntilItIsThere() throws Exception {
        try (var shop = WebApplication.start(onMySql(
                "leafmint.segment.table=leaf_missing",
                "leafmint.segment.max-step=100",
                "management.endpoint.health.group.readiness.include=readinessState,leafmint"))) {
            var rows = shop.bean(JdbcTemplate.class);
            rows.execute("DROP TABLE IF EXISTS leaf_missing, leaf_lost");
            var generator = shop.bean(SegmentGenerator.class);
            Tag order = shop.tag("order");
            assertThatThrownBy(order::nextId)
                    .isInstanceOfSatisfying(InvalidConfigException.class, missing -> assertThat(missing.reason())
                            .isEqualTo("missing_table"));
            assertMissingTable(shop, "leafmint init");
            generator.initSchema();
            generator.createTag("order").create();
            assertThat(order.nextId()).isPositive();
            assertThat(shop.status("health/readiness")).isEqualTo(200);
            rows.execute("RENAME TABLE leaf_missing TO leaf_lost");
            assertThat(shop.status("health/readiness")).as("ids are in hand").isEqualTo(200);
            assertThatThrownBy(() -> {
                        while (true) {
                            order.nextId();
                        }
                    })
                    .isInstanceOf(InvalidConfigException.class);
            assertMissingTable(shop, "undo that");
            rows.execute("RENAME TABLE leaf_lost TO leaf_missing");
            assertThat(order.nextId()).isPositive();
            assertThat(shop.status("health/readiness")).isEqualTo(200);
        }
    }

    private static void assertMissingTable(WebApplication shop, String advice) {
        JsonNode out = shop.json("health/leafmint");
        assertThat(out.at("/status").textValue()).as(out.toString()).isEqualTo("OUT_OF_SERVICE");
        JsonNode failing = out.at("/details/segments/tags/order");
        assertThat(failing.at("/lastErrorCode").textValue()).isEqualTo("invalid_config");
        assertThat(failing.at("/lastError").textValue()).contains("leaf_missing", advice);
        assertThat(shop.status("health/readiness")).isEqualTo(503);
        assertThat(shop.status("health/liveness")).isEqualTo(200);
    }

    private static String[] onMySql(String... properties) {
        var all = new ArrayList<>(List.of(TestDatabase.properties("leafmint_health")));
        all.addAll(List.of("spring.autoconfigure.exclude=", "spring.jpa.open-in-view=false", "leafmint.segment.url="));
        all.addAll(List.of(properties));
        return all.toArray(String[]::new);
    }

    /** Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
    @Test
    void aStoreThatRegressedForOneTagLeavesTheInstanceInService() throws Exception {
        try (var shop = WebApplication.start(onMySql(
                "leafmint.segment.init-schema=true",
                "leafmint.segment.auto-create=true",
                "leafmint.segment.default-step=10",
                "leafmint.segment.max-step=100",
                "management.endpoint.health.group.readiness.include=readinessState,leafmint"))) {
            var rows = shop.bean(JdbcTemplate.class);
            rows.update("DELETE FROM leaf_alloc");
            Tag order = shop.tag("order");
            Tag item = shop.tag("item");
            order.nextIds(200);
            item.nextIds(200);
            rows.update("UPDATE leaf_alloc SET max_id = 1 WHERE biz_tag = 'order'");
            // A tag is out of service once it has no id left.
            assertThatThrownBy(() -> {
                        while (true) {
                            order.nextId();
                        }
                    })
                    .isInstanceOf(StoreRegressedException.class);
            JsonNode health = shop.json("health/leafmint");
            assertThat(health.at("/status").textValue()).as(health.toString()).isEqualTo("UP");
            assertThat(health.at("/details/segments/tags/item/status").textValue())
                    .isEqualTo("UP");
            JsonNode failing = health.at("/details/segments/tags/order");
            assertThat(failing.at("/status").textValue()).as(health.toString()).isEqualTo("OUT_OF_SERVICE");
            assertThat(failing.at("/lastError").textValue()).contains("which this process has leased before");
            assertThat(Instant.parse(failing.at("/lastErrorAt").textValue())).isBefore(Instant.now());
            assertThat(health.at("/details/segments/storeUp").booleanValue()).isTrue();
            assertThat(shop.status("health/readiness")).isEqualTo(200);
            shop.bean(SegmentGenerator.class).raiseTagAbove("order", 100_000);
            Instant deadline = Instant.now().plusSeconds(30);
            while (!mints(order)) {
                assertThat(Instant.now()).isBefore(deadline);
            }
            assertThat(shop.json("health/leafmint")
                            .at("/details/segments/tags/order/status")
                            .textValue())
                    .isEqualTo("UP");
        }
    }

    private static boolean mints(Tag tag) {
        try {
            return tag.nextId() > 100_000;
        } catch (StoreRegressedException notYet) {
            return false;
        }
    }

    @Test
    void aSeriesShowsHowManyNumbersItsFormatHasRoomFor() {
        try (var shop = WebApplication.start(sqlite())) {
            Series orders = shop.bean(SegmentGenerator.class)
                    .series("order")
                    .period(SeriesPeriod.FOREVER)
                    .format(IdFormat.of("{number:2}"))
                    .open();
            shop.tag("item").nextId();
            orders.next();
            for (String page : new String[] {"health/leafmint", "leafmint"}) {
                JsonNode tags = shop.json(page).findValue("tags");
                assertThat(tags.at("/item").has("numbersLeft")).isFalse();
                assertThat(Long.parseLong(tags.at("/order@forever/numbersLeft").textValue()))
                        .as(tags.toString())
                        .isBetween(80L, 98L);
            }
            orders.nextMany(98);
            JsonNode full = shop.json("health/leafmint");
            assertThat(full.findValue("tags").at("/order@forever/numbersLeft").textValue())
                    .isEqualTo("0");
            // Every instance is full, so that none is out of service.
            assertThat(full.at("/status").textValue()).isEqualTo("UP");
        }
    }

    @Test
    void aWorkerIdThatCannotBeTakenIsOutOfService() throws Exception {
        String holder = "leafmint.snowflake.url=local:" + directory + "/workers";
        try (var first = WebApplication.start(holder, "leafmint.snowflake.workers=5");
                var second = WebApplication.start(
                        holder, "leafmint.snowflake.workers=5", "leafmint.snowflake.timeout=100ms")) {
            first.snowflakes().nextId();
            assertThat(second.json("health/leafmint").at("/status").textValue()).isEqualTo("UP");
            // Until the first attempt has failed, nothing is known.
            while (second.snowflakes().stats().lastError() == null) {
                assertThatThrownBy(second.snowflakes()::nextId).hasMessageContaining("worker");
            }
            JsonNode out = second.json("health/leafmint");
            assertThat(out.at("/status").textValue()).as(out.toString()).isEqualTo("OUT_OF_SERVICE");
            assertThat(out.at("/details/snowflakes/lastError").textValue()).isNotEmpty();
            assertThat(out.at("/details/snowflakes/lastErrorCode").textValue()).isEqualTo("worker_id_unavailable");
            assertThat(first.json("health/leafmint").at("/status").textValue()).isEqualTo("UP");
        }
    }
}
