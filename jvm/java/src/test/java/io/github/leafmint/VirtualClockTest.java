package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.github.leafmint.internal.results.Results;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualClockTest {
    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    private final VirtualClock clock = VirtualClock.at(START);

    @Test
    void idsMoveByExactlyTheTicksThatTheTestLetsPass() {
        try (var flakes = SnowflakeGenerator.builder(clock, 7).open()) {
            long first = flakes.nextId();
            assertEquals(new Results.DecodedId(first, START, 0, 7, 0, 0), flakes.decode(first));
            assertEquals(first + 1, flakes.nextId());
            clock.tick();
            assertEquals(first + (1L << 22), flakes.nextId());
            clock.advance(Duration.ofNanos(1)); // counts as a millisecond
            assertEquals(first + (2L << 22), flakes.nextId());
            clock.advance(Duration.ofDays(400));
            assertEquals(first + ((2 + 400 * 86_400_000L) << 22), flakes.nextId());
            assertEquals(START.plusMillis(2).plus(Duration.ofDays(400)), clock.instant());
            clock.set(Instant.parse("2028-02-29T12:00:00.123456Z"));
            assertEquals("VirtualClock[2028-02-29T12:00:00.123Z]", clock.toString());
            assertEquals(clock.instant(), flakes.decode(flakes.nextId()).timestamp());
        }
    }

    @Test
    void aCallThatWouldWaitMovesTheClockAndReturnsAtOnce() {
        try (var flakes = SnowflakeGenerator.builder(clock, 7)
                .layout("timestamp:41,worker:10,sequence:2")
                .timeout(Duration.ofSeconds(50))
                .open()) {
            assertEquals(4, flakes.nextIds(4).length);
            assertEquals(OptionalLong.empty(), flakes.tryNextId());
            assertEquals(START, clock.instant());
            assertEquals(START.plusMillis(1), flakes.decode(flakes.nextId()).timestamp());
            assertEquals(START.plusMillis(1), clock.instant());
            assertTimeout(Duration.ofSeconds(30), () -> flakes.nextIds(160_000), "forty seconds of ids");
            assertThrows(RateExceededException.class, () -> flakes.nextIds(240_000), "a minute, the timeout is less");
        }
    }

    @Test
    void aClockThatIsSetBackIsTreatedAsInProduction() {
        try (var going = SnowflakeGenerator.builder(clock, 1).open();
                var failing = SnowflakeGenerator.builder(clock, 2)
                        .clockRollback(ClockRollback.FAIL)
                        .open()) {
            long last = going.nextId();
            failing.nextId();
            clock.set(START.minusSeconds(1));
            assertEquals(last + 1, going.nextId());
            assertThrows(ClockMovedBackwardsException.class, failing::nextId);
            assertEquals(OptionalLong.empty(), failing.tryNextId());
            clock.set(START.plusMillis(1));
            assertEquals(START.plusMillis(1), failing.decode(failing.nextId()).timestamp());
        }
    }

    @Test
    void theClockOfTheCodeUnderTestMovesToo() {
        Clock shared = clock.withZone(ZoneOffset.ofHours(8));
        clock.advance(Duration.ofHours(1));
        assertEquals(START.plusSeconds(3600), shared.instant());
        assertEquals(START.plusSeconds(3600).toEpochMilli(), shared.millis());
    }

    @Test
    void timeNeverPassesBackwards() {
        var negative = assertThrows(InvalidArgumentException.class, () -> clock.advance(Duration.ofMillis(-1)));
        assertEquals("advance(PT-0.001S) is negative: set the clock back with set", negative.getMessage());
        assertThrows(InvalidArgumentException.class, () -> clock.advance(Duration.ofSeconds(Long.MAX_VALUE)));
        clock.set(Instant.MAX);
        assertThrows(InvalidArgumentException.class, clock::tick);
        clock.set(START);
        clock.advance(Duration.ZERO);
        assertEquals(START, clock.instant());
    }

    @Test
    void aWrongOptionOrWorkerIdIsRefused() {
        assertThrows(InvalidArgumentException.class, () -> SnowflakeGenerator.builder(clock, 1024)
                .open());
        assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder(clock, 7)
                .option("layuot", "leaf")
                .open());
        var early = VirtualClock.at(Instant.EPOCH);
        assertThrows(ClockMovedBackwardsException.class, () -> SnowflakeGenerator.builder(early, 7)
                .open());
        try (var flakes = SnowflakeGenerator.builder(clock, 7)
                .endpoint("shop")
                .username("app")
                .open()) {
            assertEquals(OptionalLong.of(7), flakes.workerId());
        }
    }

    @Test
    void aBuilderThatOtherCodeMadeIsPutOnTheClock() {
        var made = SnowflakeGenerator.builder("mysql://nowhere.invalid/shop").layout("wide");
        try (var flakes = made.inVirtualTime(clock, 7).open()) {
            DecodedId parts = flakes.decode(flakes.nextId());
            assertEquals(Layout.of("wide"), flakes.layout());
            assertEquals(START, parts.timestamp());
            assertEquals(7, parts.workerId());
        }
    }

    @Test
    void aClosedGeneratorDoesNotComeBackWithTheTime() {
        var flakes = SnowflakeGenerator.builder(clock, 7).open();
        flakes.close();
        clock.tick();
        assertThrows(ClosedException.class, flakes::nextId);
    }
}
