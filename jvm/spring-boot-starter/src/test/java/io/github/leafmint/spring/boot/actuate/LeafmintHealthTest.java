package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentUnavailableException;
import io.github.leafmint.UnknownTagException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    private static void useUp(BizTag tag) throws InterruptedException {
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
            assertThat(used.at("/details/segments/tags/order/inService").booleanValue())
                    .isTrue();
            assertThat(used.at("/details/snowflakes/workerId").longValue()).isEqualTo(9);
            assertThat(Instant.parse(used.at("/details/snowflakes/horizon").textValue()))
                    .isBetween(before, Instant.now().plusSeconds(60));
        }
    }

    @Test
    void aLockedDatabaseIsOutOfServiceOnceNoIdIsInHandAndUpAgainAfterwards() throws Exception {
        try (var shop = WebApplication.start(sqlite())) {
            BizTag order = shop.tag("order");
            order.nextIds(500);
            try (var locked = lockDatabase()) {
                assertThat(locked).isNotNull();
                assertThat(shop.json("health/leafmint").at("/status").textValue())
                        .as("ids are in hand")
                        .isEqualTo("UP");
                useUp(order);
                JsonNode away = shop.json("health/leafmint");
                assertThat(away.at("/status").textValue()).as(away.toString()).isEqualTo("OUT_OF_SERVICE");
                assertThat(away.at("/details/segments/tags/order/inService").booleanValue())
                        .isFalse();
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
            BizTag order = shop.tag("order");
            BizTag idle = shop.tag("idle");
            order.nextIds(500);
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
            BizTag order = shop.tag("order");
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
            assertThat(first.json("health/leafmint").at("/status").textValue()).isEqualTo("UP");
        }
    }
}
