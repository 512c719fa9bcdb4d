package io.github.leafmint.test.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.IdFormat;
import io.github.leafmint.Layout;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.VirtualClock;
import io.github.leafmint.test.LeafmintTest;
import io.github.leafmint.test.TestIds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

@SpringBootTest(
        classes = Shop.class,
        properties = {"leafmint.snowflake.layout=wide", "leafmint.snowflake.url=fixed:1"})
@LeafmintTestClock(startsAt = "2026-12-24T18:00:00Z", workerId = 7)
@Import(LeafmintTestClockTest.OneClockForAll.class)
@Timeout(60)
class LeafmintTestClockTest {
    @Autowired
    VirtualClock clock;

    @Autowired
    SnowflakeGenerator flakes;

    @TestConfiguration
    static class OneClockForAll {
        @Bean
        Clock clock(VirtualClock shared) {
            return shared.withZone(ZoneOffset.UTC);
        }
    }

    @RepeatedTest(2)
    void snowflakesFollowTheClockOfTheContext(@Autowired Clock ofTheApplication) {
        Instant start = clock.instant();
        long first = flakes.nextId();
        clock.advance(Duration.ofHours(6));
        var later = flakes.decode(flakes.nextId());
        assertEquals(start.plusSeconds(6 * 3600), later.timestamp());
        assertEquals(7, later.workerId());
        assertEquals(start, flakes.decode(first).timestamp());
        assertEquals(clock.instant(), ofTheApplication.instant());
    }

    @RepeatedTest(2)
    void seriesFollowTheClockOfTheContext(@Autowired SegmentGenerator ids) {
        Series invoices = ids.series("invoice")
                .period(SeriesPeriod.DAY)
                .zone(ZoneId.of("UTC"))
                .format(IdFormat.of("{year}-{month}-{day}/{number}"))
                .open();
        clock.advance(Duration.ofDays(1));
        assertEquals(
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC) + "/1",
                invoices.next().text());
    }

    @Test
    void thePropertiesOfTheApplicationCount() {
        assertEquals(Layout.of("wide"), flakes.layout());
    }

    @Nested
    @TestPropertySource(properties = "another=context")
    class InAnotherContext {
        @Autowired
        VirtualClock itsClock;

        @Test
        void theClockHasNotBeenMovedByOtherTests() {
            assertEquals(Instant.parse("2026-12-24T18:00:00Z"), itsClock.instant());
        }
    }

    @Nested
    @LeafmintTest
    class WithGeneratorsOfTheTest {
        @RepeatedTest(2)
        void bothCanBeHad(@TestIds(workerId = 3) SnowflakeGenerator own, @Autowired SnowflakeGenerator ofTheContext) {
            assertEquals(3, own.workerId().orElseThrow());
            assertEquals(7, ofTheContext.workerId().orElseThrow());
        }
    }
}
