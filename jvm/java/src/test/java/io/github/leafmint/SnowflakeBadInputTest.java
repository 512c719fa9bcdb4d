package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnowflakeBadInputTest {
    @TempDir
    Path directory;

    @Test
    void batchesAndTimeoutsOutOfRangeAreRefused() throws Exception {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            assertEquals(0, flakes.nextIds(0).length);
            flakes.nextId();
            assertEquals(0, flakes.nextIds(0, Duration.ofSeconds(1)).length);
            for (JsonObject expected : Vectors.cases("batches.json", "out_of_range")) {
                if (expected.get("call").getAsString().equals("next_ids")) {
                    long count = expected.get("count").getAsLong();
                    Vectors.refused(expected, () -> flakes.nextIds(count));
                    Vectors.refused(expected, () -> flakes.nextIds(count, Duration.ofSeconds(1)));
                }
            }
            for (Duration timeout : List.of(
                    Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(Long.MAX_VALUE))) {
                assertThrows(InvalidArgumentException.class, () -> flakes.nextId(timeout));
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIds(1, timeout));
            }
            assertTrue(flakes.nextId(Duration.ofDays(365)) > 0);
        }
    }

    @Test
    void urlsWithoutAHolderAreInvalidConfig() throws Exception {
        for (String url : List.of(
                "",
                "x",
                "memory:",
                "sqlite:///x",
                "local:",
                "local://host/x",
                "local:/",
                "fixed:",
                "fixed:-1",
                "fixed:1024",
                "fixed:x",
                "fixed:7?nonsense=1",
                "fixed:7?timeout=-1",
                "fixed:7?layout=none",
                "fixed:7?epoch=x",
                "fixed:7?epoch=-1",
                "fixed:7?workers=x",
                "fixed:7?eager=maybe",
                "fixed:7?clock_rollback=no",
                "fixed:7?namespace=../x",
                "fixed:7?sequence_jitter=-1",
                "fixed:7?datacenter_id=1",
                "\ud83c")) {
            var failure = assertThrows(
                    InvalidConfigException.class,
                    () -> SnowflakeGenerator.open(url).close(),
                    url);
            assertEquals("invalid_config", failure.code());
        }
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count(), "nothing is written");
        }
    }

    @Test
    void allOptionsOutOfRangeAreNamedInOneInvalidConfig() {
        var failure = assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder("fixed:1024")
                .stateDir("")
                .timeout(Duration.ofNanos(-1))
                .layout("none")
                .workers("1-")
                .datacenterId(1)
                .option("clock", "atomic")
                .option("clock_rollback", "never")
                .sequenceJitter(-1)
                .namespace("")
                .option("nonsense", "1")
                .open());
        for (String part : List.of(
                "fixed:",
                "state_dir",
                "timeout=",
                "layout=",
                "workers=",
                "datacenter_id=",
                "clock=atomic",
                "clock_rollback=",
                "sequence_jitter=",
                "namespace=",
                "nonsense")) {
            assertTrue(failure.getMessage().contains(part), part + " in " + failure.getMessage());
        }
        assertThrows(
                InvalidConfigException.class,
                () -> Holders.fixed(directory, 7).epoch(Instant.MAX).open().close());
        assertThrows(
                InvalidConfigException.class,
                () -> Holders.fixed(directory, 7).epoch(Instant.MIN).open().close());
        assertThrows(
                InvalidConfigException.class,
                () -> Holders.fixed(directory, 7).endpoint("\ud83c").open().close());
        assertThrows(InvalidConfigException.class, () -> Holders.fixed(directory, 7)
                .workerMap(Map.of("\ud83c", 1L))
                .open()
                .close());
    }

    @Test
    void aClockBeforeTheEpochOrAfterTheLastTimestampIsANamedError() {
        var timeout = Duration.ofSeconds(1);
        Instant epoch = Instant.parse("2100-01-01T00:00:00Z");
        try (var early = Holders.fixed(directory, 7)
                .epoch(epoch)
                .layout("timestamp:40,worker:10,sequence:12")
                .timeout(timeout)
                .open()) {
            var failure = assertThrows(ClockMovedBackwardsException.class, early::nextId);
            assertTrue(failure.getMessage().contains("before the layout's epoch"), failure.getMessage());
        }
        try (var late = Holders.fixed(directory, 8)
                .layout("timestamp:20,worker:10,sequence:12")
                .timeout(timeout)
                .open()) {
            assertThrows(IdSpaceExhaustedException.class, late::nextId);
        }
    }

    @Test
    void anotherLayoutInTheSameNamespaceIsRefused() {
        try (var flakes = Holders.fixed(directory, 7).open()) {
            flakes.nextId();
        }
        try (var flakes = Holders.fixed(directory, 7).layout("wide").open()) {
            assertThrows(InvalidConfigException.class, flakes::nextId);
        }
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        var builder = SnowflakeGenerator.builder(Holders.local(directory));
        try (var flakes = builder.open()) {
            Map<String, Executable> calls = Map.of(
                    "url", () -> SnowflakeGenerator.open((String) null),
                    "namespace", () -> builder.namespace(null),
                    "layout", () -> builder.layout(null),
                    "epoch", () -> builder.epoch(null),
                    "workerMap", () -> builder.workerMap(null),
                    "stateDir", () -> builder.stateDir(null),
                    "leaseDuration", () -> builder.leaseDuration(null),
                    "value", () -> builder.option("timeout", null),
                    "timeout", () -> flakes.nextIds(1, null));
            calls.forEach((name, call) -> assertEquals(
                    name, assertThrows(NullPointerException.class, call).getMessage()));
            assertEquals(
                    "timeout",
                    assertThrows(NullPointerException.class, () -> flakes.nextId(null))
                            .getMessage());
            assertEquals(
                    "timeout",
                    assertThrows(NullPointerException.class, () -> flakes.nextIdWithGene(1, null))
                            .getMessage());
        }
    }
}
