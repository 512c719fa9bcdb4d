package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class SegmentBadInputTest {
    private static void refused(Executable call) {
        var failure = assertThrows(InvalidArgumentException.class, call);
        assertEquals("invalid_argument", failure.code());
        assertFalse(failure.retryable());
    }

    @Test
    void namesOutOfRangeAreRefused() {
        try (var ids = SegmentGenerator.open("memory://names")) {
            for (String name : List.of(
                    "", "a".repeat(129), "🍃".repeat(129), "nul\0", "\ud83c", "x\udf43", " ", "order ", " order")) {
                refused(() -> ids.tag(name));
                refused(() -> ids.createTag(name).step(1).create());
            }
            refused(() -> ids.createTag("order").step(1).description("\ud83c").create());
            refused(() ->
                    ids.createTag("order").step(1).description("d".repeat(257)).create());
        }
    }

    @Test
    void stepsAndStartsOutOfRangeAreRefusedAndNothingIsWritten(@TempDir Path directory) {
        Path file = directory.resolve("ids.db");
        try (var ids = SegmentGenerator.open("sqlite:///" + file)) {
            for (long step : new long[] {0, -1, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE}) {
                refused(() -> ids.createTag("order").step(step).create());
            }
            for (long start : new long[] {-1, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE}) {
                refused(() -> ids.createTag("order").step(1).start(start).create());
            }
        }
        assertFalse(Files.exists(file));
    }

    @Test
    void batchesOutOfRangeAreRefused() throws Exception {
        try (var ids = SegmentGenerator.open("memory://batches")) {
            Tag order = ids.tag("order");
            for (JsonObject expected : Vectors.cases("batches.json", "out_of_range")) {
                long count = expected.get("count").getAsLong();
                if (expected.get("call").getAsString().equals("next_ids")) {
                    Vectors.refused(expected, () -> order.nextIds(count));
                    Vectors.refused(expected, () -> order.nextIds(count, Duration.ofSeconds(1)));
                } else {
                    Vectors.refused(expected, () -> order.nextRange(count));
                    Vectors.refused(expected, () -> order.nextRange(count, Duration.ofSeconds(1)));
                }
            }
            for (int turn = 0; turn < 2; turn++) {
                assertEquals(0, order.nextIds(0).length);
                assertEquals(0, order.nextIds(0, Duration.ofSeconds(1)).length);
                assertEquals(0, order.nextRange(0).size());
                order.nextIds(new long[0]);
            }
            for (int[] part :
                    new int[][] {{-1, 1}, {0, 4}, {3, 1}, {0, -1}, {Integer.MAX_VALUE, 2}, {Integer.MIN_VALUE, 1}}) {
                assertThrows(IndexOutOfBoundsException.class, () -> order.nextIds(new long[3], part[0], part[1]));
            }
            assertEquals(1, order.nextId());
        }
    }

    @Test
    void timeoutsOutOfRangeAreRefusedEvenWithIdsInHand() {
        try (var ids = SegmentGenerator.open("memory://timeouts")) {
            Tag order = ids.tag("order");
            order.nextId();
            for (Duration timeout : List.of(
                    Duration.ofNanos(-1),
                    Duration.ofSeconds(-5),
                    Duration.ofSeconds(Long.MIN_VALUE),
                    Duration.ofSeconds(Long.MAX_VALUE))) {
                refused(() -> order.nextId(timeout));
                refused(() -> order.nextIds(1, timeout));
                refused(() -> order.nextRange(1, timeout));
            }
            assertEquals(2, order.nextId(Duration.ZERO));
            assertEquals(3, order.nextId(Duration.ofDays(365)));
        }
    }

    @Test
    void urlsWithoutAStoreAreInvalidConfig() {
        for (String url : List.of(
                "",
                "x",
                "oracle://db",
                "mysql://",
                "mysql://h",
                "mysql://h/%2",
                "mysql://h:x/db",
                "mysql://h:0/db",
                "sqlite:",
                "sqlite://h/f",
                "memory:?nonsense=1",
                "memory:?timeout=",
                "memory:?timeout=-1",
                "memory:?timeout=nan",
                "memory:?default_step=0",
                "memory:?default_step=2147483648",
                "memory:?max_step=x",
                "memory:?eager=maybe",
                "memory:?table=a%20b",
                "\ud83c")) {
            var failure = assertThrows(
                    InvalidConfigException.class,
                    () -> SegmentGenerator.open(url).close(),
                    url);
            assertEquals("invalid_config", failure.code());
        }
    }

    @Test
    void allOptionsOutOfRangeAreNamedInOneInvalidConfig() {
        var failure = assertThrows(InvalidConfigException.class, () -> SegmentGenerator.builder("memory:")
                .timeout(Duration.ofNanos(-1))
                .defaultStep(0)
                .maxStep(Long.MAX_VALUE)
                .defaultStart(Long.MIN_VALUE)
                .option("nonsense", "1")
                .eagerTags("")
                .open());
        for (String part : List.of("timeout=", "default_step=", "max_step=", "default_start=", "nonsense", "tags")) {
            assertTrue(failure.getMessage().contains(part), failure.getMessage());
        }
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        assertNull("url", () -> SegmentGenerator.open((String) null));
        assertNull("url", () -> SegmentGenerator.builder((String) null));
        assertNull("dialect", () -> Leafmint.schemaSql(null));
        var builder = SegmentGenerator.builder("memory:");
        assertNull("timeout", () -> builder.timeout(null));
        assertNull("connectTimeout", () -> builder.connectTimeout(null));
        assertNull("password", () -> builder.password(null));
        assertNull("eager_tags", () -> builder.eagerTags("a", null));
        assertNull("name", () -> builder.option(null, "1"));
        assertNull("value", () -> builder.option("timeout", null));
        try (var ids = SegmentGenerator.open("memory://null")) {
            assertNull("name", () -> ids.tag(null));
            assertNull("tag", () -> ids.createTag(null).step(1).create());
            assertNull(
                    "description",
                    () -> ids.createTag("order").step(1).description(null).create());
            assertNull("timeout", () -> ids.tag("order").nextId(null));
            assertNull("timeout", () -> ids.tag("order").nextIds(1, null));
            assertNull("timeout", () -> ids.tag("order").nextRange(1, null));
            assertNull("into", () -> ids.tag("order").nextIds(null));
            assertNull("into", () -> ids.tag("order").nextIds(null, 0, 1));
        }
    }

    private static void assertNull(String name, Executable call) {
        assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
    }
}
