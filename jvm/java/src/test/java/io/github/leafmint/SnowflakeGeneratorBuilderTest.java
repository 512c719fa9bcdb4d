package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnowflakeGeneratorBuilderTest {
    @TempDir
    Path directory;

    @Test
    void eagerTakesAWorkerIdAtOpenOrFailsThere() {
        try (var flakes = Holders.fixed(directory, 7).eager(true).open()) {
            assertEquals(OptionalLong.of(7), flakes.workerId());
            assertTrue(flakes.tryNextId().isPresent());
            assertThrows(WorkerIdUnavailableException.class, () -> Holders.fixed(directory, 7)
                    .eager(true)
                    .timeout(Duration.ofMillis(100))
                    .open()
                    .close());
        }
    }

    @Test
    void optionsReachTheGenerator() {
        Instant epoch = Instant.parse("2025-01-01T00:00:00Z");
        try (var flakes = SnowflakeGenerator.builder(Holders.local(directory))
                .layout("datacenter")
                .epoch(epoch)
                .datacenterId(3)
                .workers("5,7")
                .endpoint("10.0.0.1:8080")
                .namespace("orders")
                .sequenceJitter(0)
                .leaseDuration(Duration.ofSeconds(4))
                .heartbeat(Duration.ofMillis(500))
                .clock(SnowflakeClock.SYSTEM)
                .clockRollback(ClockRollback.FAIL)
                .maxClockLead(Duration.ofMinutes(1))
                .timeout(Duration.ofSeconds(3))
                .open()) {
            assertEquals(Layout.of("datacenter", epoch), flakes.layout());
            assertSame(flakes.layout(), flakes.layout());
            DecodedId parts = flakes.decode(flakes.nextId());
            assertEquals(3, parts.datacenterId());
            assertEquals(5, parts.workerId());
            assertEquals(0, parts.sequence());
            long horizon = flakes.stats().horizon().toMillis();
            assertTrue(horizon > 1000 && horizon < 5000, () -> "horizon " + horizon);
        }
    }

    @Test
    void aWorkerMapFixesTheWorkerIdOfAnEndpoint() {
        var map = Map.of("10.0.0.1:8080", 3L, "10.0.0.2:8080", 4L);
        try (var flakes = SnowflakeGenerator.builder(Holders.local(directory))
                .workerMap(map)
                .endpoint("10.0.0.2:8080")
                .open()) {
            assertEquals(4, flakes.decode(flakes.nextId()).workerId());
        }
        assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder(Holders.local(directory))
                .workerMap(map)
                .open());
    }
}
