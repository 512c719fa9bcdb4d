package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import io.github.leafmint.internal.natives.RecordReader;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.status.SnowflakeStats;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StatsTest {
    @TempDir
    Path directory;

    @Test
    void theNamesOfTheStatsAreThoseOfTheVectors() throws Exception {
        assertEquals(figures("tag"), components(Results.TagStats.class));
        assertEquals(figures("tag").size(), RecordReader.TAG_NUMBERS + 2);
        assertEquals(figures("snowflake"), components(Results.SnowflakeStats.class));
    }

    private static List<String> figures(String of) throws Exception {
        var figures = new ArrayList<String>();
        for (JsonElement name : Vectors.read("stats.json").getAsJsonObject().getAsJsonArray(of)) {
            figures.add(Vectors.camelCase(name.getAsString()));
        }
        return figures;
    }

    private static List<String> components(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    /** How long the ids in hand last is another at each look. */
    private static String withoutSupply(Map<String, ?> tags) {
        return new TreeMap<>(tags).toString().replaceAll("supply=[^,]*, ", "");
    }

    @Test
    void theStatsOfATagEqualThoseOfItsGenerator() throws Exception {
        try (var server = new SilentServer();
                var away = SegmentGenerator.builder(server.url())
                        .connectTimeout(Duration.ofMillis(50))
                        .open();
                var ids = SegmentGenerator.open("memory://tag-stats-java")) {
            Tag order = ids.tag("order");
            Tag genes = ids.tag("genes", new TagOptions().geneBits(4));
            order.nextIds(3);
            genes.nextIdWithGene(1);
            assertEquals(
                    withoutSupply(ids.stats().tags()),
                    withoutSupply(Map.of("genes", genes.stats(), "order", order.stats())));
            assertEquals(3, order.stats().issued());
            ids.close();
            assertEquals(order.stats().unused(), 0);
            assertEquals(
                    withoutSupply(ids.stats().tags()),
                    withoutSupply(Map.of("genes", genes.stats(), "order", order.stats())));

            Tag failing = away.tag("order");
            while (failing.stats().failuresInARow() == 0) {
                assertThrows(LeafmintException.class, () -> failing.nextId(Duration.ofMillis(500)));
            }
            assertTrue(
                    failing.stats().lastError().contains("127.0.0.1"),
                    failing.stats().lastError());
            assertEquals("store_unavailable", failing.stats().lastErrorCode());
            assertEquals("store_unavailable", away.stats().tags().get("order").lastErrorCode());
        }
    }

    @Test
    void statsCountTheIdsOfEachTag() {
        try (var ids = SegmentGenerator.open("memory://stats-java")) {
            assertTrue(ids.stats().tags().isEmpty());
            ids.tag("order").nextIds(10);
            var stats = ids.stats();
            assertEquals(ids.scope(), stats.scope());
            var order = stats.tags().get("order");
            assertEquals(10, order.issued());
            assertEquals(order.leased() - 10, order.unused());
            assertEquals(1000, order.step());
            assertEquals(1, order.refills());
            assertNotNull(order.refillDuration());
            assertNull(order.lastError());
            assertNull(order.lastErrorCode());
            ids.close();
            assertEquals(order.unused(), ids.stats().tags().get("order").givenBack());
            assertThrows(UnsupportedOperationException.class, () -> stats.tags().clear());
        }
    }

    @Test
    void statsHoldWorkerIdHolderAndScope() throws Exception {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            SnowflakeStats before = flakes.stats();
            assertNull(before.workerId());
            assertNull(before.horizon());
            assertNull(before.heartbeatDuration());
            assertEquals("local", before.holder());
            flakes.nextId();
            SnowflakeStats stats = flakes.stats();
            assertEquals(0L, stats.workerId());
            assertEquals(flakes.scope(), stats.scope());
            assertEquals("default", stats.namespace());
            assertTrue(stats.scope().contains(directory.toString()), stats.scope());
            assertEquals("SnowflakeGenerator[" + flakes.scope() + "]", flakes.toString());
            assertTrue(stats.horizon().toMillis() > 0);
            assertEquals(0, stats.leasesLost());
            while (flakes.stats().heartbeatDuration() == null) {
                Thread.sleep(10);
            }
            assertTrue(flakes.stats().heartbeatDuration().compareTo(Duration.ofSeconds(60)) < 0);
            assertNull(stats.lastError());
            assertNull(stats.lastErrorCode());
        }
    }
}
