package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.status.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackfillTest {
    private static final Instant AT = Instant.ofEpochMilli(1_600_000_000_000L);

    @TempDir
    Path directory;

    @Test
    void aPastMomentIsFilledInWithAWorkerIdThatNoProcessHolds() {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            DecodedId living = flakes.decode(flakes.nextId());
            DecodedId past = flakes.decode(flakes.backfill(AT.plusNanos(999_999)));
            assertEquals(AT, past.timestamp());
            assertEquals(0, living.workerId());
            assertEquals(1023, past.workerId());
            WorkerInfo worker = flakes.listWorkers().get(1);
            assertEquals("backfill", worker.endpoint());
            assertTrue(worker.held());
            assertNull(worker.horizon());
        }
    }

    @Test
    void manyMomentsAreFilledInInTheirOrder() {
        long first = AT.toEpochMilli();
        long[] moments = LongStream.range(0, 20_000)
                .map(number -> first + number * 7919 % 5_000 * 100_000)
                .toArray();
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            long[] ids = flakes.backfill(moments);
            assertArrayEquals(
                    moments,
                    Arrays.stream(ids)
                            .map(id -> flakes.decode(id).timestamp().toEpochMilli())
                            .toArray());
            assertEquals(moments.length, Arrays.stream(ids).distinct().count());
            assertEquals(0, flakes.backfill(new long[0]).length);
        }
    }

    @Test
    void aGeneIsInTheId() {
        try (var flakes = SnowflakeGenerator.builder(Holders.local(directory))
                .layout("timestamp:41,worker:10,sequence:8,gene:4")
                .open()) {
            assertEquals(5, flakes.decode(flakes.backfillWithGene(AT, 5)).gene());
            assertThrows(InvalidArgumentException.class, () -> flakes.backfillWithGene(AT, 16));
        }
    }

    @Test
    void aMomentBeforeTheEpochOrToComeIsRefused() {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            for (Instant at :
                    new Instant[] {Instant.EPOCH, Instant.MIN, Instant.now().plus(Duration.ofHours(1))}) {
                var failure = assertThrows(InvalidArgumentException.class, () -> flakes.backfill(at));
                assertTrue(failure.getMessage().contains("is not a past moment"), failure.getMessage());
            }
            flakes.close();
            assertThrows(ClosedException.class, () -> flakes.backfill(AT));
        }
    }

    @Test
    void aHolderWithoutWorkerIdsForThePastSaysSo() {
        try (var flakes = Holders.fixed(directory, 7).open()) {
            var failure = assertThrows(InvalidConfigException.class, () -> flakes.backfill(AT));
            assertTrue(failure.getMessage().contains("keeps no worker ids for past moments"), failure.getMessage());
        }
    }
}
