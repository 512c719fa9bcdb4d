package io.github.leafmint.test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.leafmint.ClockMovedBackwardsException;
import io.github.leafmint.IdFormat;
import io.github.leafmint.IdOrder;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.VirtualClock;
import io.github.leafmint.sharding.Genes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@LeafmintTest(startsAt = "2026-12-24T18:00:00Z")
@Timeout(60)
class LeafmintTestTest {
    private static final Instant EVENING = Instant.parse("2026-12-24T18:00:00Z");

    @TestIds
    private SegmentGenerator ids;

    @TestIds("order")
    private Tag orderIds;

    @TestIds
    private SnowflakeGenerator flakes;

    @TestIds
    private VirtualClock clock;

    private long ofBeforeEach;

    @BeforeEach
    void mintsToo(@TestIds("user") Tag userIds) {
        ofBeforeEach = userIds.nextId();
    }

    @Test
    void idsOfEachTagStartAt1() {
        assertEquals(1, orderIds.nextId());
        assertArrayEquals(new long[] {2, 3, 4}, orderIds.nextIds(3));
        assertEquals(1, ids.tag("item").nextId());
    }

    @RepeatedTest(3)
    void andSoTheyDoInEachRepetition(@TestIds("user") Tag userIds) {
        assertEquals(1, orderIds.nextId());
        assertEquals(1, ofBeforeEach);
        assertEquals(2, userIds.nextId());
    }

    @Test
    void fieldsAndParametersOfATestAreTheSame(
            SegmentGenerator ids, @TestIds("order") Tag orderIds, SnowflakeGenerator flakes, VirtualClock clock) {
        assertSame(this.ids, ids);
        assertSame(this.orderIds, orderIds);
        assertSame(this.flakes, flakes);
        assertSame(this.clock, clock);
    }

    @Test
    void seriesHaveTheDatesOfTheClock(SegmentGenerator ofParameter) {
        Series invoices = days(ids);
        assertEquals("20261224-1", invoices.next().text());
        assertEquals("20261224-2", invoices.next().text());
        clock.advance(Duration.ofHours(6));
        assertEquals("20261225-1", invoices.next().text());
        assertEquals("20261225-2", days(ofParameter).nextAsync().join().text());
    }

    private static Series days(SegmentGenerator ids) {
        return ids.series("invoice")
                .period(SeriesPeriod.DAY)
                .zone(ZoneId.of("Europe/Madrid"))
                .format(IdFormat.of("{year}{month}{day}-{number}"))
                .open();
    }

    @Test
    void idsMoveByExactlyTheTicksOfTheClock() {
        long first = flakes.nextId();
        assertEquals(EVENING, flakes.decode(first).timestamp());
        assertEquals(OptionalLong.of(0), flakes.workerId());
        clock.tick();
        assertEquals(first + (1L << 22), flakes.nextId());
        clock.advance(Duration.ofHours(6));
        assertEquals(first + (21_600_001L << 22), flakes.nextId());
    }

    @Test
    @LeafmintTest(startsAt = "2027-01-01T00:00:00Z")
    void aTestMayStartAtAnotherTime() {
        assertEquals(Instant.parse("2027-01-01T00:00:00Z"), clock.instant());
        assertEquals(clock.instant(), flakes.decode(flakes.nextId()).timestamp());
    }

    @Test
    void aClockThatIsSetBackIsRefusedIfTheOptionSaysSo(
            @TestIds(workerId = 1, options = "clock_rollback=fail") SnowflakeGenerator failing) {
        failing.nextId();
        flakes.nextId();
        clock.set(EVENING.minusMillis(2)); // one is tolerated
        assertThrows(ClockMovedBackwardsException.class, failing::nextId);
        assertEquals(EVENING, flakes.decode(flakes.nextId()).timestamp());
    }

    @Test
    void optionsReachTheirGenerator(
            @TestIds(value = "gift", geneBits = 4, order = IdOrder.RELAXED) Tag giftIds,
            @TestIds(
                            workerId = 5,
                            options = {"layout=wide", "sequence_jitter=0"})
                    SnowflakeGenerator wide) {
        assertEquals(3, Genes.geneOfId(giftIds.nextIdWithGene(3), 4));
        assertEquals(IdOrder.RELAXED, giftIds.order());
        assertEquals(5, wide.decode(wide.nextId()).workerId());
    }

    @Nested
    class InANestedClass {
        @TestIds("order")
        private Tag sameOrderIds;

        @Test
        void theTagIsThatOfTheOuterClass() {
            assertSame(orderIds, sameOrderIds);
            assertEquals(1, sameOrderIds.nextId());
            assertEquals(EVENING, clock.instant());
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class WithOneInstanceForAllTests {
        @TestIds("order")
        private Tag innerIds;

        @RepeatedTest(2)
        void theFieldsAreSetAnew() {
            assertEquals(1, innerIds.nextId());
        }
    }

    @Nested
    @ExtendWith(LeafmintExtension.class)
    @LeafmintTest
    class WithTheExtensionTwice {
        @Test
        void theDefaultTimeIsThatOfTheNearestAnnotation() {
            assertEquals(TestGenerators.START, clock.instant());
        }
    }
}
