package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.sharding.Genes;
import io.github.leafmint.sharding.ShardRule;
import io.github.leafmint.sharding.ShardedId;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnowflakeGeneratorTest {
    private static final String WITH_GENES = "timestamp:41,worker:10,sequence:8,gene:4";

    @TempDir
    Path directory;

    @Test
    void idsIncreaseAndHoldTimeAndWorkerId() {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
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
    void aTickWhoseIdsAreUsedUpIsRateExceeded() {
        try (var hours = Holders.fixed(directory, 7)
                .layout("timestamp:20,worker:10,sequence:4,unit:1h")
                .open()) {
            hours.nextId();
            var failure = assertThrows(RateExceededException.class, () -> {
                for (int round = 0; round < 40; round++) {
                    hours.nextId(Duration.ofMillis(20));
                }
            });
            assertEquals("rate_exceeded", failure.code());
            assertTrue(failure.retryable() && failure.getMessage().contains("used up"), failure.getMessage());
        }
    }

    @Test
    void theWorkerIdMayBeFixed() {
        try (var flakes = Holders.fixed(directory, 7).open()) {
            assertEquals(7, flakes.decode(flakes.nextId()).workerId());
            assertEquals("fixed", flakes.stats().holder());
        }
    }

    @Test
    void generatorsThatShareADirectoryHaveDifferentWorkerIds() {
        try (var one = SnowflakeGenerator.open(Holders.local(directory));
                var two = SnowflakeGenerator.open(Holders.local(directory))) {
            assertEquals(0, one.decode(one.nextId()).workerId());
            assertEquals(1, two.decode(two.nextId()).workerId());
        }
    }

    @Test
    void aWorkerIdOfAnotherGeneratorIsUnavailable() {
        try (var holder = Holders.fixed(directory, 7).open();
                var other = Holders.fixed(directory, 7)
                        .timeout(Duration.ofMillis(100))
                        .open()) {
            holder.nextId();
            var failure = assertThrows(WorkerIdUnavailableException.class, other::nextId);
            assertTrue(failure.retryable());
            assertTrue(other.stats().waits() > 0);
            holder.close();
            assertEquals(7, other.decode(other.nextId(Duration.ofSeconds(30))).workerId());
        }
    }

    @Test
    void aTryNeverWaitsForAWorkerId() throws Exception {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
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
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
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
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
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
        try (var flakes = SnowflakeGenerator.builder(Holders.local(directory))
                .layout(WITH_GENES)
                .open()) {
            int gene = Genes.geneOfKey("user-45", 4);
            long id = flakes.nextIdWithGene(gene);
            assertEquals(gene, Genes.geneOfId(id, 4));
            assertEquals(gene, flakes.decode(id).gene());
            assertEquals(
                    15,
                    flakes.decode(flakes.nextIdWithGene(15, Duration.ofSeconds(1)))
                            .gene());
            assertEquals(0, flakes.decode(flakes.nextId()).gene());
            for (long wrong : new long[] {-1, 16, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThrows(InvalidArgumentException.class, () -> flakes.nextIdWithGene(wrong));
            }
        }
        try (var flakes = SnowflakeGenerator.builder(Holders.local(directory))
                .namespace("without-genes")
                .open()) {
            assertThrows(InvalidArgumentException.class, () -> flakes.nextIdWithGene(0));
        }
    }

    @Test
    void aShardRuleMintsWithSnowflakes() {
        ShardRule orders = ShardRule.of("10", 1024);
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            ShardedId number = orders.parse(orders.mint(flakes, "user-42"));
            assertEquals(64, number.table());
            assertEquals(0, flakes.decode(number.sequence()).workerId());
        }
    }

    @Test
    void anInterruptEndsAWaitAndItsFlagStaysSet() throws Exception {
        try (var holder = Holders.fixed(directory, 7).open();
                var flakes = Holders.fixed(directory, 7).open()) {
            holder.nextId();
            var minting = new Minting();
            Thread waiting = minting.start(() -> {
                var failure =
                        assertThrows(WorkerIdUnavailableException.class, () -> flakes.nextId(Duration.ofSeconds(50)));
                assertTrue(failure.getMessage().startsWith("interrupted"), failure.getMessage());
                assertTrue(Thread.currentThread().isInterrupted());
            });
            Thread.sleep(50);
            long began = System.nanoTime();
            waiting.interrupt();
            minting.join();
            assertTrue(System.nanoTime() - began < 20_000_000_000L);
            Thread.currentThread().interrupt();
            assertTrue(holder.nextId() > 0, "what can be had at once is had all the same");
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void anUnreachableGeneratorIsClosedInTheBackground() throws Exception {
        WeakReference<SnowflakeGenerator> lost = mintAndLose();
        while (lost.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
        try (var flakes =
                Holders.fixed(directory, 7).timeout(Duration.ofSeconds(30)).open()) {
            assertTrue(flakes.nextId() > 0);
        }
    }

    private WeakReference<SnowflakeGenerator> mintAndLose() {
        SnowflakeGenerator flakes = Holders.fixed(directory, 7).open();
        flakes.nextId();
        return new WeakReference<>(flakes);
    }
}
