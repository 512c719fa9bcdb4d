package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SegmentGeneratorTest {
    @TempDir
    Path directory;

    private String sqlite() {
        return "sqlite:///" + directory.resolve("ids.db");
    }

    @Test
    void idsOfAFileGoOnWhereTheLastGeneratorEnded() {
        try (var ids = SegmentGenerator.open(sqlite())) {
            assertEquals(1, ids.bizTag("order").nextId());
            assertEquals(2, ids.bizTag("order").nextId());
        }
        try (var ids = SegmentGenerator.open(sqlite())) {
            assertEquals(3, ids.bizTag("order").nextId());
        }
        assertTrue(Files.exists(directory.resolve("ids.db")));
    }

    @Test
    void aTagIsCreatedOnce() {
        try (var ids = SegmentGenerator.builder(sqlite()).autoCreate(false).open()) {
            ids.initSchema();
            ids.initSchema();
            assertThrows(UnknownTagException.class, () -> ids.bizTag("order").nextId());
            assertTrue(ids.createTag("order", 10, 500, "orders of the shop"));
            assertFalse(ids.createTag("order", 10, 900, ""));
            assertEquals(500, ids.bizTag("order").nextId());
            assertTrue(ids.createTag("item", 10));
            assertEquals(1, ids.bizTag("item").nextId());
        }
    }

    @Test
    void aTagIsAlwaysTheSameOne() {
        try (var ids = SegmentGenerator.open("memory://same")) {
            assertSame(ids.bizTag("order"), ids.bizTag("order"));
            assertEquals("order", ids.bizTag("order").name());
        }
    }

    @Test
    void namesKeepEveryCharacter() {
        for (String name : List.of("two words", "quote's \"", "emoji 🍃", "汉字", "a,b", "🍃".repeat(128))) {
            try (var ids = SegmentGenerator.open(sqlite())) {
                assertEquals(1, ids.bizTag(name).nextId(), name);
                assertTrue(ids.stats().tags().containsKey(name), name);
            }
        }
    }

    @Test
    void everyOptionReachesTheCore() {
        var builder = SegmentGenerator.builder("memory://builder")
                .timeout(Duration.ofMillis(1500))
                .connectTimeout(Duration.ofSeconds(2))
                .user("user")
                .password("p@:/")
                .sslMode("disabled")
                .eager(true)
                .tags("a,b", "c")
                .maxStep(70)
                .maxUnused(1000)
                .segmentDuration(Duration.ofMinutes(5))
                .outageBudget(Duration.ofMinutes(1))
                .autoCreate(true)
                .defaultStep(7)
                .defaultStart(100)
                .table("leaf_alloc")
                .option("timeout", "2s");
        try (var ids = builder.open()) {
            assertEquals(List.of("a,b", "c"), List.copyOf(ids.stats().tags().keySet()));
            assertEquals(7, ids.stats().tags().get("c").step());
            assertEquals(100, ids.bizTag("c").nextId());
        }
        assertThrows(InvalidConfigException.class, () -> SegmentGenerator.builder("memory:")
                .sslCa("/no/such/file")
                .option("nonsense", "1")
                .open());
    }

    @Test
    void eagerFailsAtOpenWhereTheTagIsUnknown() {
        var eager =
                SegmentGenerator.builder(sqlite()).autoCreate(false).eager(true).tags("order");
        try (var ids = SegmentGenerator.open(sqlite())) {
            ids.initSchema();
        }
        assertThrows(UnknownTagException.class, eager::open);
    }

    @Test
    void aClosedGeneratorKeepsNoTag() throws Exception {
        var ids = SegmentGenerator.open("memory:");
        for (Order order : Order.values()) {
            var tag = new WeakReference<>(ids.bizTag("order", order));
            ids.close();
            while (tag.get() != null) {
                System.gc();
                Thread.sleep(5);
            }
            ids = SegmentGenerator.open("memory:");
        }
        ids.close();
    }

    @Test
    void aTagHasTheStatsThatItsGeneratorHasOfIt() throws Exception {
        try (var server = new SilentServer();
                var away = SegmentGenerator.builder(server.url())
                        .connectTimeout(Duration.ofMillis(50))
                        .open();
                var ids = SegmentGenerator.open("memory://tag-stats-java")) {
            BizTag order = ids.bizTag("order");
            BizTag genes = ids.bizTag("genes", 4);
            order.nextIds(3);
            genes.nextIdWithGene(1);
            assertEquals(ids.stats().tags(), Map.of("genes", genes.stats(), "order", order.stats()));
            assertEquals(3, order.stats().issued());
            ids.close();
            assertEquals(order.stats().unused(), 0);
            assertEquals(ids.stats().tags(), Map.of("genes", genes.stats(), "order", order.stats()));

            BizTag failing = away.bizTag("order");
            assertThrows(LeafmintException.class, () -> failing.nextId(Duration.ofMillis(500)));
            assertTrue(
                    failing.stats().lastError().contains("127.0.0.1"),
                    failing.stats().lastError());
        }
    }

    @Test
    void statsTellWhatBecameOfTheIds() {
        try (var ids = SegmentGenerator.open("memory://stats-java")) {
            assertTrue(ids.stats().tags().isEmpty());
            ids.bizTag("order").nextIds(10);
            var stats = ids.stats();
            assertEquals(ids.scope(), stats.scope());
            var order = stats.tags().get("order");
            assertEquals(10, order.issued());
            assertEquals(order.leased() - 10, order.unused());
            assertEquals(1000, order.step());
            assertEquals(1, order.refills());
            assertNotNull(order.refillMillis());
            assertNull(order.lastError());
            ids.close();
            assertEquals(order.unused(), ids.stats().tags().get("order").givenBack());
            assertThrows(UnsupportedOperationException.class, () -> stats.tags().clear());
        }
    }

    @Test
    void theScopeSaysWhoSharesTheIds() {
        try (var ids = SegmentGenerator.open("memory://scope")) {
            assertTrue(ids.scope().contains("this process"), ids.scope());
            assertTrue(ids.toString().contains(ids.scope()));
            assertTrue(ids.bizTag("order").toString().contains("order"));
        }
    }

    @Test
    void anInterruptedThreadOpensWhatNeedsNoWaiting() {
        Thread.currentThread().interrupt();
        try (var ids = SegmentGenerator.open("memory://interrupted-open")) {
            assertNotNull(ids.bizTag("order"));
        } finally {
            assertTrue(Thread.interrupted(), "the flag is kept");
        }
    }

    @Test
    void theTextOfTheTablesIsToBeHad() {
        assertTrue(Leafmint.schemaSql("mysql").contains("leaf_alloc"));
        assertTrue(Leafmint.schemaSql("sqlite").contains("leaf_alloc"));
        assertThrows(InvalidArgumentException.class, () -> Leafmint.schemaSql("oracle"));
    }
}
