package io.github.leafmint.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.IdFormat;
import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.NumberParts;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.SeriesPeriod;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import me.ahoo.cosid.converter.DatePrefixIdConverter;
import me.ahoo.cosid.converter.GroupedPrefixIdConverter;
import me.ahoo.cosid.converter.ToStringIdConverter;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.IdSegmentDistributorDefinition;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.grouped.DefaultGroupedIdSegmentDistributor;
import me.ahoo.cosid.segment.grouped.GroupBySupplier;
import me.ahoo.cosid.segment.grouped.GroupedKey;
import me.ahoo.cosid.segment.grouped.date.YearMonthDayGroupBySupplier;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeIdStateParser;
import me.ahoo.cosid.util.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What docs/comparison.md says of CosId's numbers for people, each next to what leafmint does. */
class CosIdNumbersTest {
    /** Their dates are never the same. */
    private static final String AHEAD = "Pacific/Kiritimati";

    private static final String BEHIND = "Pacific/Pago_Pago";

    private static final LocalDate DAY = LocalDate.of(2026, 11, 25);
    private static final GroupedPrefixIdConverter GROUPED =
            new GroupedPrefixIdConverter("-", ToStringIdConverter.INSTANCE);

    private final TimeZone zone = TimeZone.getDefault();

    @AfterEach
    void restoreZone() {
        TimeZone.setDefault(zone);
    }

    @Test
    void aDateIsThatOfTheCallAndNotOfTheId() {
        var dated = new DatePrefixIdConverter("yyyyMMdd", "-", ToStringIdConverter.INSTANCE);
        assertNotEquals(in(AHEAD, () -> dated.asString(7)), in(BEHIND, () -> dated.asString(7)));

        IdFormat format = IdFormat.of("{year}{month}{day}-{number}");
        NumberParts parts = NumberParts.of(7).on(DAY);
        assertEquals("20261125-7", in(AHEAD, () -> format.format(parts)));
        assertEquals("20261125-7", in(BEHIND, () -> format.format(parts)));
    }

    @Test
    void aGroupIsKnownOnlyToTheThreadThatMinted() {
        var group = new AtomicReference<>(GroupedKey.forever("2026"));
        var ids = new DefaultSegmentId(grouped(group::get, 1));
        long id = ids.generate();
        assertEquals("2026-1", GROUPED.asString(id));
        var elsewhere = CompletableFuture.supplyAsync(() -> GROUPED.asString(id), task -> new Thread(task).start());
        var refused = assertThrows(CompletionException.class, elsewhere::join);
        assertEquals(
                "The current thread has not set the GroupedKey.",
                refused.getCause().getMessage());

        group.set(GroupedKey.forever("2027"));
        ids.generate();
        assertEquals("2027-1", GROUPED.asString(id), "the id of 2026, once the thread has minted in 2027");

        try (var generator = SegmentGenerator.open("memory:")) {
            Series years = generator
                    .series("invoice")
                    .period(SeriesPeriod.YEAR)
                    .zone(ZoneId.of("UTC"))
                    .format(IdFormat.of("{year}-{number}"))
                    .open();
            SeriesNumber number = years.next(DAY);
            years.next(DAY.plusYears(1));
            assertEquals("2026-1", CompletableFuture.supplyAsync(number::text).join());
        }
    }

    @Test
    void aGroupedTextCannotBeParsed() {
        assertThrows(UnsupportedOperationException.class, () -> GROUPED.asLong("2026-1"));

        NumberParts parts = IdFormat.of("{year}-{number}").parse("2026-1");
        assertEquals(1, parts.number());
    }

    @Test
    void aNumberThatIsTooLargeForItsPaddingIsWrittenLonger() {
        assertEquals("999", new ToStringIdConverter(true, 3).asString(999));
        assertEquals("1000", new ToStringIdConverter(true, 3).asString(1000));

        IdFormat format = IdFormat.of("{number:3}");
        assertThrows(IdSpaceExhaustedException.class, () -> format.format(1000));
    }

    @Test
    void theZoneIsThatOfTheJvm() {
        var days = new YearMonthDayGroupBySupplier("yyyy-MM-dd");
        assertNotEquals(in(AHEAD, () -> days.get().getKey()), in(BEHIND, () -> days.get()
                .getKey()));

        try (var generator = SegmentGenerator.open("memory:")) {
            Series orders = days(generator, () -> Instant.parse("2026-11-25T12:00:00Z"));
            assertEquals("2026-11-25", in(AHEAD, () -> orders.next().group()));
            assertEquals("2026-11-25", in(BEHIND, () -> orders.next().group()));
        }
    }

    @Test
    void aLeaseInTheLastSecondOfAPeriodThrows() {
        // What the suppliers of days, months and years return then.
        GroupBySupplier lastSecond = () -> new GroupedKey("2026-11-25", Clock.CACHE.secondTime());
        var id = new DefaultSegmentId(grouped(lastSecond, 10));
        var refused = assertThrows(IllegalArgumentException.class, id::generate);
        assertTrue(refused.getMessage().startsWith("ttl:["), refused.getMessage());
        assertThrows(IllegalArgumentException.class, new SegmentChainId(grouped(lastSecond, 10))::generate);

        try (var generator = SegmentGenerator.open("memory:")) {
            Series orders = days(generator, () -> Instant.parse("2026-11-25T23:59:59.999Z"));
            assertEquals("2026-11-25", orders.next().group());
        }
    }

    @Test
    void aFriendlyIdComesAgainAnHourLaterIfClocksAreSetBack() {
        ZoneId madrid = ZoneId.of("Europe/Madrid");
        var parser = new MillisecondSnowflakeIdStateParser(0, 41, 10, 12, madrid, true);
        long before = Instant.parse("2026-10-25T00:30:00Z").toEpochMilli() << 22;
        long after = Instant.parse("2026-10-25T01:30:00Z").toEpochMilli() << 22;
        String friendly = parser.parse(before).getFriendlyId();
        assertEquals("20261025023000000-0000-0000", friendly);
        assertEquals(friendly, parser.parse(after).getFriendlyId());
        assertEquals(before, parser.parse(friendly).getId());
    }

    private static Series days(SegmentGenerator generator, InstantSource clock) {
        return generator
                .series("order")
                .period(SeriesPeriod.DAY)
                .zone(ZoneId.of("UTC"))
                .clock(clock)
                .open();
    }

    private static IdSegmentDistributor grouped(GroupBySupplier groups, long step) {
        return new DefaultGroupedIdSegmentDistributor(
                groups,
                new IdSegmentDistributorDefinition("test", "order", 0, step),
                definition -> new IdSegmentDistributor.Atomic(definition.getStep()));
    }

    private static String in(String zone, Supplier<String> text) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        return text.get();
    }
}
