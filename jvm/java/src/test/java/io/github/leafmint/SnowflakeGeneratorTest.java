package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnowflakeGeneratorTest {
    private static final String WITH_GENES = "timestamp:41,worker:10,sequence:8,gene:4";

    @TempDir
    Path directory;

    private String local() {
        return "local:///" + directory;
    }

    private SnowflakeGeneratorBuilder fixed(long workerId) {
        return SnowflakeGenerator.builder("fixed:" + workerId).stateDir(directory.toString());
    }

    @Test
    void idsIncreaseAndTellTimeAndWorker() {
        try (var flakes = SnowflakeGenerator.open(local())) {
            Instant before = Instant.now().minusMillis(1);
            long last = -1;
            for (int round = 0; round < 20_000; round++) {
                long id = flakes.nextId();
                assertTrue(id > last);
                last = id;
            }
            DecodedId parts = flakes.decode(last);
            assertEquals(last, parts.id());
            assertEquals(0, parts.workerId());
            assertFalse(parts.timestamp().isBefore(before), parts::toString);
            assertFalse(parts.timestamp().isAfter(Instant.now().plusMillis(1)), parts::toString);
            assertEquals(OptionalLong.of(0), flakes.workerId());
        }
    }

    @Test
    void theWorkerIdMayBeFixed() {
        try (var flakes = fixed(7).open()) {
            assertEquals(7, flakes.decode(flakes.nextId()).workerId());
            assertEquals("fixed", flakes.stats().holder());
        }
    }

    @Test
    void generatorsThatShareADirectoryHaveTheirOwnWorkerIds() {
        try (var one = SnowflakeGenerator.open(local()); var two = SnowflakeGenerator.open(local())) {
            assertEquals(0, one.decode(one.nextId()).workerId());
            assertEquals(1, two.decode(two.nextId()).workerId());
        }
    }

    @Test
    void aWorkerIdThatIsHeldIsUnavailable() {
        try (var holder = fixed(7).open(); var other = fixed(7).timeout(Duration.ofMillis(100)).open()) {
            holder.nextId();
            var failure = assertThrows(WorkerIdUnavailableException.class, other::nextId);
            assertTrue(failure.retryable());
            assertTrue(other.stats().waits() > 0);
            holder.close();
            assertEquals(7, other.decode(other.nextId(Duration.ofSeconds(10))).workerId());
        }
    }

    @Test
    void eagerTakesAWorkerIdAtOpenOrFailsThere() {
        try (var flakes = fixed(7).eager(true).open()) {
            assertEquals(OptionalLong.of(7), flakes.workerId());
            assertTrue(flakes.tryNextId().isPresent());
            assertThrows(
                    WorkerIdUnavailableException.class,
                    () -> fixed(7).eager(true).timeout(Duration.ofMillis(100)).open().close());
        }
    }

    @Test
    void aTryNeverWaitsForAWorkerId() throws Exception {
        try (var flakes = SnowflakeGenerator.open(local())) {
            OptionalLong id = flakes.tryNextId();
            while (id.isEmpty()) {
                Thread.sleep(1);
                id = flakes.tryNextId();
            }
            assertTrue(id.getAsLong() > 0);
        }
    }

    @Test
    void aBatchAscends() {
        try (var flakes = SnowflakeGenerator.open(local())) {
            long[] ids = flakes.nextIds(50_000);
            assertEquals(50_000, ids.length);
            assertArrayEquals(ids, Arrays.stream(ids).sorted().distinct().toArray());
            assertEquals(1, flakes.nextIds(1).length);
            assertTrue(flakes.nextIds(1, Duration.ofSeconds(1))[0] > ids[ids.length - 1]);
        }
    }

    @Test
    void eightThreadsNeverMintTheSameId() throws Exception {
        Set<Long> all = ConcurrentHashMap.newKeySet();
        try (var flakes = SnowflakeGenerator.open(local())) {
            var minting = new Minting();
            for (int thread = 0; thread < 8; thread++) {
                minting.start(() -> {
                    long last = -1;
                    for (int round = 0; round < 20_000; round++) {
                        long id = flakes.nextId();
                        assertTrue(id > last);
                        last = id;
                        assertTrue(all.add(id));
                    }
                });
            }
            minting.join();
        }
        assertEquals(160_000, all.size());
    }

    @Test
    void anIdCarriesItsGene() {
        try (var flakes = SnowflakeGenerator.builder(local()).layout(WITH_GENES).open()) {
            int gene = Genes.geneOf("user-45", 4);
            long id = flakes.nextIdWithGene(gene);
            assertEquals(gene, Genes.shardOf(id, 4));
            assertEquals(gene, flakes.decode(id).gene());
            assertEquals(15, flakes.decode(flakes.nextIdWithGene(15, Duration.ofSeconds(1))).gene());
            assertEquals(0, flakes.decode(flakes.nextId()).gene());
            for (long wrong : new long[] {-1, 16, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIdWithGene(wrong));
            }
        }
        try (var flakes = SnowflakeGenerator.builder(local()).namespace("without-genes").open()) {
            assertThrows(InvalidArgumentException.class, () -> flakes.nextIdWithGene(0));
        }
    }

    @Test
    void aShardRuleMintsWithSnowflakes() {
        ShardRule orders = ShardRule.of("10", 1024);
        try (var flakes = SnowflakeGenerator.open(local())) {
            ShardedId number = orders.parse(orders.mint(flakes, "user-42"));
            assertEquals(64, number.table());
            assertEquals(0, flakes.decode(number.sequence()).workerId());
        }
    }

    @Test
    void optionsReachTheGenerator() {
        Instant epoch = Instant.parse("2025-01-01T00:00:00Z");
        try (var flakes = SnowflakeGenerator.builder(local())
                .layout("datacenter")
                .epoch(epoch)
                .datacenterId(3)
                .workers("5,7")
                .endpoint("10.0.0.1:8080")
                .namespace("orders")
                .sequenceJitter(0)
                .leaseDuration(Duration.ofSeconds(4))
                .heartbeat(Duration.ofMillis(500))
                .clockRollback("fail")
                .maxClockLead(Duration.ofMinutes(1))
                .timeout(Duration.ofSeconds(3))
                .open()) {
            assertEquals(Layout.of("datacenter", epoch.toEpochMilli()), flakes.layout());
            assertSame(flakes.layout(), flakes.layout());
            DecodedId parts = flakes.decode(flakes.nextId());
            assertEquals(3, parts.datacenterId());
            assertEquals(5, parts.workerId());
            assertEquals(0, parts.sequence());
            double horizon = flakes.stats().horizonSeconds();
            assertTrue(horizon > 1 && horizon < 5, () -> "horizon " + horizon);
        }
    }

    @Test
    void aWorkerMapFixesTheWorkerIdOfAnEndpoint() {
        var map = Map.of("10.0.0.1:8080", 3L, "10.0.0.2:8080", 4L);
        try (var flakes = SnowflakeGenerator.builder(local()).workerMap(map).endpoint("10.0.0.2:8080").open()) {
            assertEquals(4, flakes.decode(flakes.nextId()).workerId());
        }
        assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder(local()).workerMap(map).open());
    }

    @Test
    void statsTellWorkerHolderAndScope() {
        try (var flakes = SnowflakeGenerator.open(local())) {
            SnowflakeStats before = flakes.stats();
            assertNull(before.workerId());
            assertNull(before.horizonSeconds());
            assertEquals("local", before.holder());
            flakes.nextId();
            SnowflakeStats stats = flakes.stats();
            assertEquals(0L, stats.workerId());
            assertEquals(flakes.scope(), stats.scope());
            assertTrue(stats.scope().contains(directory.toString()), stats.scope());
            assertEquals("SnowflakeGenerator[" + flakes.scope() + "]", flakes.toString());
            assertTrue(stats.horizonSeconds() > 0);
            assertTrue(stats.waits() > 0);
            assertEquals(0, stats.leasesLost());
            assertNull(stats.lastError());
        }
    }

    @Test
    void aCleanCloseLeavesNothingToWaitFor() {
        long last;
        try (var flakes = fixed(7).open()) {
            last = flakes.nextId();
        }
        long began = System.nanoTime();
        try (var flakes = fixed(7).open()) {
            assertTrue(flakes.nextId() > last);
            assertTrue(flakes.stats().clockLeadMillis() < 1000);
        }
        assertTrue(System.nanoTime() - began < 2_000_000_000L);
    }

    @Test
    void everyUseAfterCloseIsClosed() {
        var flakes = SnowflakeGenerator.open(local());
        long id = flakes.nextId();
        flakes.close();
        flakes.close();
        List<Executable> uses = List.of(
                flakes::nextId,
                () -> flakes.nextId(Duration.ofSeconds(1)),
                flakes::tryNextId,
                () -> flakes.nextIds(2),
                () -> flakes.nextIds(2, Duration.ofSeconds(1)),
                flakes::getAsLong);
        for (Executable use : uses) {
            assertEquals("closed", assertThrows(ClosedException.class, use).code());
        }
        assertEquals(id, flakes.decode(id).id());
        assertDoesNotThrow(flakes::stats);
        assertDoesNotThrow(flakes::workerId);
        assertDoesNotThrow(flakes::toString);
    }

    @Test
    void closeBeforeTheFirstIdIsClosedToo() {
        var flakes = SnowflakeGenerator.open(local());
        flakes.close();
        assertThrows(ClosedException.class, flakes::nextId);
    }

    @Test
    void closeEndsEightMintingThreads() throws Exception {
        for (int round = 0; round < 10; round++) {
            var flakes = SnowflakeGenerator.open(local());
            var closed = new AtomicInteger();
            var minting = new Minting();
            for (int thread = 0; thread < 8; thread++) {
                boolean batches = thread % 2 == 0;
                minting.start(() -> {
                    assertThrows(ClosedException.class, () -> {
                        while (true) {
                            if (batches) {
                                flakes.nextIds(100);
                            } else {
                                flakes.nextId();
                            }
                        }
                    });
                    closed.incrementAndGet();
                });
            }
            Thread.sleep(20);
            flakes.close();
            minting.join();
            assertEquals(8, closed.get());
        }
    }

    @Test
    void closeIsNotCutShortByAnInterrupt() {
        var flakes = fixed(7).open();
        flakes.nextId();
        Thread.currentThread().interrupt();
        flakes.close();
        assertTrue(Thread.interrupted(), "the flag is kept");
        try (var later = fixed(7).eager(true).open()) {
            assertEquals(OptionalLong.of(7), later.workerId());
        }
    }

    @Test
    void anInterruptEndsAWaitAndKeepsItsFlag() throws Exception {
        try (var holder = fixed(7).open(); var flakes = fixed(7).open()) {
            holder.nextId();
            var minting = new Minting();
            Thread waiting = minting.start(() -> {
                var failure = assertThrows(WorkerIdUnavailableException.class, () -> flakes.nextId(Duration.ofSeconds(50)));
                assertTrue(failure.getMessage().startsWith("interrupted"), failure.getMessage());
                assertTrue(Thread.currentThread().isInterrupted());
            });
            Thread.sleep(50);
            long began = System.nanoTime();
            waiting.interrupt();
            minting.join();
            assertTrue(System.nanoTime() - began < 2_000_000_000L);
            Thread.currentThread().interrupt();
            assertTrue(holder.nextId() > 0, "what can be had at once is had all the same");
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void aGeneratorThatIsLostIsClosedInTheBackground() throws Exception {
        WeakReference<SnowflakeGenerator> lost = mintAndLose();
        while (lost.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
        try (var flakes = fixed(7).timeout(Duration.ofSeconds(30)).open()) {
            assertTrue(flakes.nextId() > 0);
        }
    }

    private WeakReference<SnowflakeGenerator> mintAndLose() {
        SnowflakeGenerator flakes = fixed(7).open();
        flakes.nextId();
        return new WeakReference<>(flakes);
    }

    @Test
    void batchesAndTimeoutsOutOfRangeAreRefused() {
        try (var flakes = SnowflakeGenerator.open(local())) {
            flakes.nextId();
            for (long count : new long[] {0, -1, (1 << 20) + 1, 1L << 32, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIds(count));
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIds(count, Duration.ofSeconds(1)));
            }
            for (Duration timeout : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(Long.MAX_VALUE))) {
                assertThrows(InvalidArgumentException.class, () -> flakes.nextId(timeout));
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIds(1, timeout));
            }
            assertTrue(flakes.nextId(Duration.ofDays(365)) > 0);
        }
    }

    @Test
    void urlsThatNameNoHolderAreInvalidConfig() throws Exception {
        for (String url : List.of(
                "", "x", "memory:", "sqlite:///x", "local:", "local://", "local:///", "fixed:", "fixed:-1", "fixed:1024", "fixed:x", "fixed:7?nonsense=1",
                "fixed:7?timeout=-1", "fixed:7?layout=none", "fixed:7?epoch=x", "fixed:7?epoch=-1", "fixed:7?workers=x", "fixed:7?eager=maybe",
                "fixed:7?clock_rollback=no", "fixed:7?namespace=../x", "fixed:7?sequence_jitter=-1", "fixed:7?datacenter_id=1", "\ud83c")) {
            var failure = assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.open(url).close(), url);
            assertEquals("invalid_config", failure.code());
        }
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count(), "nothing is written");
        }
    }

    @Test
    void optionsOutOfRangeAreInvalidConfigAllAtOnce() {
        var failure = assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder("fixed:1024")
                .stateDir("")
                .timeout(Duration.ofNanos(-1))
                .layout("none")
                .workers("1-")
                .datacenterId(1)
                .clockRollback("never")
                .sequenceJitter(-1)
                .namespace("")
                .option("nonsense", "1")
                .open());
        for (String part : List.of(
                "fixed:", "state_dir", "timeout=", "layout=", "workers=", "datacenter_id=", "clock_rollback=", "sequence_jitter=", "namespace=",
                "nonsense")) {
            assertTrue(failure.getMessage().contains(part), part + " in " + failure.getMessage());
        }
        assertThrows(InvalidConfigException.class, () -> fixed(7).epoch(Instant.MAX).open().close());
        assertThrows(InvalidConfigException.class, () -> fixed(7).epoch(Instant.MIN).open().close());
        assertThrows(InvalidConfigException.class, () -> fixed(7).endpoint("\ud83c").open().close());
        assertThrows(InvalidConfigException.class, () -> fixed(7).workerMap(Map.of("\ud83c", 1L)).open().close());
    }

    @Test
    void aClockBeforeTheEpochOrPastTheLastTimestampIsANamedError() {
        var timeout = Duration.ofMillis(300);
        try (var early = fixed(7).epoch(Instant.parse("2100-01-01T00:00:00Z")).layout("timestamp:40,worker:10,sequence:12").timeout(timeout).open()) {
            var failure = assertThrows(LeafmintException.class, early::nextId);
            assertNotEquals("closed", failure.code(), failure.getMessage());
        }
        try (var late = fixed(8).layout("timestamp:20,worker:10,sequence:12").timeout(timeout).open()) {
            assertThrows(IdSpaceExhaustedException.class, late::nextId);
        }
    }

    @Test
    void anotherLayoutInTheSameNamespaceIsRefused() {
        try (var flakes = fixed(7).open()) {
            flakes.nextId();
        }
        try (var flakes = fixed(7).layout("wide").open()) {
            assertThrows(InvalidConfigException.class, flakes::nextId);
        }
    }

    @Test
    void nullIsRefusedByTheNameOfItsParameter() {
        var builder = SnowflakeGenerator.builder(local());
        try (var flakes = builder.open()) {
            Map<String, Executable> calls = Map.of(
                    "url", () -> SnowflakeGenerator.open(null),
                    "namespace", () -> builder.namespace(null),
                    "layout", () -> builder.layout(null),
                    "epoch", () -> builder.epoch(null),
                    "workerMap", () -> builder.workerMap(null),
                    "stateDir", () -> builder.stateDir(null),
                    "leaseDuration", () -> builder.leaseDuration(null),
                    "value", () -> builder.option("timeout", null),
                    "timeout", () -> flakes.nextIds(1, null));
            calls.forEach((name, call) -> assertEquals(name, assertThrows(NullPointerException.class, call).getMessage()));
            assertEquals("timeout", assertThrows(NullPointerException.class, () -> flakes.nextId(null)).getMessage());
            assertEquals("timeout", assertThrows(NullPointerException.class, () -> flakes.nextIdWithGene(1, null)).getMessage());
        }
    }
}
