package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SegmentGeneratorBuilderTest {
    @TempDir
    Path directory;

    private String sqlite() {
        return "sqlite:///" + directory.resolve("ids.db");
    }

    @Test
    void everyOptionReachesTheCore() {
        var builder = SegmentGenerator.builder("memory://builder")
                .timeout(Duration.ofMillis(1500))
                .connectTimeout(Duration.ofSeconds(2))
                .username("user")
                .password("p@:/")
                .sslMode(SslMode.DISABLED)
                .eager(true)
                .eagerTags("a,b", "c")
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
            assertEquals(100, ids.tag("c").nextId());
        }
        assertThrows(InvalidConfigException.class, () -> SegmentGenerator.builder("memory:")
                .sslCa("/no/such/file")
                .option("nonsense", "1")
                .open());
    }

    @Test
    void aValueOfAnyTypeIsCheckedByTheCoreAndNotByTheBuilder() {
        var typed = SegmentGenerator.builder("memory://typed")
                .option("timeout", 1)
                .option("eager_tags", Set.of("a"))
                .option("eager", true);
        typed.open().close();
        var wrong = SegmentGenerator.builder("memory:")
                .option("timeout", true)
                .option("table", List.of("a"))
                .option("tags", Map.of("a", 1L))
                .option("max_step", Instant.EPOCH);
        String message = assertThrows(InvalidConfigException.class, wrong::open).getMessage();
        assertTrue(message.contains("timeout: a boolean cannot be used as a duration"), message);
        assertTrue(message.contains("table: a list cannot be used as a text"), message);
        assertTrue(message.contains("max_step=0 is not a whole number"), message);
        assertThrows(InvalidConfigException.class, () -> typed.option("timeout", new Object()));
    }

    @Test
    void eagerFailsAtOpenIfTheTagIsUnknown() {
        var eager =
                SegmentGenerator.builder(sqlite()).autoCreate(false).eager(true).eagerTags("order");
        try (var ids = SegmentGenerator.open(sqlite())) {
            ids.initSchema();
        }
        assertThrows(UnknownTagException.class, eager::open);
    }
}
