package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.status.SeriesInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SeriesTest {
    private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");
    private static final LocalDate DAY = LocalDate.of(2026, 11, 25);

    private final String store = "memory://series-" + System.nanoTime();
    private final SegmentGenerator ids = SegmentGenerator.open(store);
    private final VirtualClock clock = VirtualClock.at(Instant.parse("2026-11-25T12:00:00Z"));

    @AfterEach
    void close() {
        ids.close();
    }

    private SeriesBuilder daily(ZoneId zone) {
        return ids.series("invoice").period(SeriesPeriod.DAY).zone(zone);
    }

    private static Series open(SeriesBuilder series, SeriesPeriod period) {
        return (period == SeriesPeriod.FOREVER ? series : series.zone(MADRID))
                .period(period)
                .open();
    }

    /** A test that looks at the machine's clock twice must see one day. */
    private static void awayFromMidnight() throws InterruptedException {
        while (LocalTime.now(MADRID).isAfter(LocalTime.of(23, 59, 50))) {
            Thread.sleep(100);
        }
    }

    /** Returns the group and the number of the next number at a time. */
    private String at(String time, Series series) {
        clock.set(Instant.parse(time));
        SeriesNumber next = series.next();
        return next.group() + " " + next.number();
    }

    private static String refused(Class<? extends LeafmintException> type, Executable call) {
        return assertThrows(type, call).getMessage();
    }

    @Test
    void numbersStartAgainAtMidnightOfTheZoneAndGoOnIfTheClockIsSetBack() {
        Series invoices = daily(MADRID).clock(clock).open();
        assertEquals("2026-11-25 1", at("2026-11-25T22:59:59.999Z", invoices));
        assertEquals("2026-11-26 1", at("2026-11-25T23:00:00Z", invoices));
        assertEquals("2026-11-25 2", at("2026-11-25T22:59:59.999Z", invoices));
        assertEquals("2026-11-26 2", at("2026-11-25T23:00:00Z", invoices));
    }

    @Test
    void withoutAClockTheMachinesCountsAndASecondObjectGoesOnWithTheNumbers() throws Exception {
        awayFromMidnight();
        for (SeriesPeriod period : SeriesPeriod.values()) {
            Series series = open(ids.series(period.name()), period);
            SeriesNumber first = series.next();
            LocalDate today = LocalDate.now(MADRID);
            LocalDate begins =
                    switch (period) {
                        case DAY -> today;
                        case MONTH -> today.withDayOfMonth(1);
                        case YEAR -> today.withDayOfYear(1);
                        case FOREVER -> null;
                    };
            assertEquals(1, first.number());
            assertEquals(begins, first.date());
            assertEquals(
                    begins == null ? "" : begins.toString().substring(0, 10 - 3 * period.ordinal()), first.group());
            assertEquals(2, open(ids.series(period.name()), period).next().number());
            assertEquals(3, series.next(Duration.ofSeconds(1)).number());
        }
    }

    /** Keys that a stranger chooses, of which the garbage collector has found none yet. */
    @Test
    void keysThatAreDroppedAfterAFewNumbersLeaveRoomForOthers() {
        try (var few = SegmentGenerator.open("memory://" + UUID.randomUUID() + "?max_keys=100")) {
            var all = new ArrayList<Series>();
            for (int key = 0; key < 1000; key++) {
                Series series = few.series("order")
                        .period(SeriesPeriod.YEAR)
                        .zone(MADRID)
                        .key("key-" + key)
                        .open();
                all.add(series);
                assertEquals(1, series.next().number());
                assertEquals(2, series.nextAsync().join().number());
                assertEquals(3, series.nextMany(1).get(0).number());
            }
            // Those that made room go on, above what was given back or leased.
            assertTrue(all.get(0).next().number() > 3);
        }
    }

    /** Series that are used often have a handle each, as long as there is room for it. */
    @Test
    void keysThatAreUsedOftenAscendWhetherTheyHaveAHandleOrNot() {
        var all = new ArrayList<Series>();
        for (int key = 0; key < 1200; key++) {
            all.add(open(ids.series("member").key("key-" + key), SeriesPeriod.FOREVER));
        }
        for (long round = 1; round <= 8; round++) {
            for (Series series : all) {
                assertEquals(round, series.next().number());
            }
        }
    }

    @Test
    void theSeriesOfTheStoreAreListedWithTheirRules() {
        assertEquals(List.of(), ids.listSeries());
        daily(MADRID)
                .format(IdFormat.of("{year}{month}{day}-{number:4}"))
                .open()
                .next();
        ids.series("customer").period(SeriesPeriod.FOREVER).open().next();
        List<SeriesInfo> expected = List.of(
                new Results.SeriesInfo("customer", SeriesPeriod.FOREVER, null, null),
                new Results.SeriesInfo("invoice", SeriesPeriod.DAY, MADRID, "{year}{month}{day}-{number:4}"));
        assertEquals(expected, ids.listSeries());
    }

    @Test
    void aPeriodBeginsAndEndsByTheCalendarOfItsZone() throws Exception {
        for (JsonObject period : Vectors.cases("periods.json", "cases")) {
            long begins = period.get("begins").getAsLong();
            long ends = period.get("ends").getAsLong();
            Series series = ids.series("zones " + begins)
                    .period(SeriesPeriod.valueOf(
                            period.get("period").getAsString().toUpperCase(Locale.ROOT)))
                    .zone(ZoneId.of(period.get("zone").getAsString()))
                    .clock(clock)
                    .open();
            List<String> groups = new ArrayList<>();
            for (long time : new long[] {begins - 1, begins, ends - 1, ends}) {
                clock.set(Instant.ofEpochMilli(time));
                groups.add(series.next().group());
            }
            String group = period.get("group").getAsString();
            assertEquals(List.of(group, group), groups.subList(1, 3), period::toString);
            assertFalse(groups.get(0).equals(group) || groups.get(3).equals(group), period::toString);
        }
    }

    @Test
    void aDateTakesItsOwnPeriodWhateverTheTime() {
        Series invoices = open(ids.series("invoice"), SeriesPeriod.MONTH);
        assertEquals(1, invoices.next(DAY).number());
        SeriesNumber second = invoices.next(DAY.withDayOfMonth(1), Duration.ofSeconds(1));
        assertEquals("2026-11 2", second.group() + " " + second.number());
        assertEquals(1, invoices.next(LocalDate.of(1999, 2, 3)).number());
        refused(InvalidArgumentException.class, () -> invoices.next(LocalDate.of(0, 1, 1)));
        refused(InvalidArgumentException.class, () -> invoices.next(DAY, Duration.ofSeconds(-1)));
        Series forever = open(ids.series("member"), SeriesPeriod.FOREVER);
        String message = refused(InvalidArgumentException.class, () -> forever.next(DAY));
        assertTrue(message.contains("leave the date out"), message);
    }

    @Test
    void callsWithAndWithoutADateLoseNoNumberToEachOther() throws Exception {
        awayFromMidnight();
        Series cases = open(ids.series("case"), SeriesPeriod.YEAR);
        Series same = open(ids.series("case"), SeriesPeriod.YEAR);
        for (long number = 1; number < 600; number += 3) {
            assertEquals(number, cases.next().number());
            assertEquals(number + 1, same.next(LocalDate.now(MADRID)).number());
            assertEquals(number + 2, same.next().number());
        }
    }

    @Test
    void eachKeyHasNumbersOfItsOwnWhichTheFormatShows() {
        IdFormat format = IdFormat.of("{key}/{yy}{month}{day}-{number:2}");
        Series seven = daily(MADRID).key("shop-7").format(format).open();
        Series eight = daily(MADRID).key("shop-8").format(format).open();
        assertEquals("shop-7/261125-01", seven.next(DAY).text());
        assertEquals("shop-8/261125-01", eight.next(DAY).text());
        assertEquals("shop-7/261125-02", seven.next(DAY).text());
        assertEquals(
                List.of("invoice", "shop-7", format, MADRID, SeriesPeriod.DAY),
                List.of(seven.name(), seven.key(), seven.format(), seven.zone(), seven.period()));
    }

    @Test
    void theStatisticsOfAllItsPeriodsAndKeysAreOneAndAnnounced() {
        var announced = new ArrayList<String>();
        ids.onTag(announced::add);
        Series invoices = daily(MADRID).open();
        invoices.next();
        invoices.next(DAY);
        daily(MADRID).key("shop-7").open().next(DAY);
        assertEquals(3, ids.stats().tags().get("invoice@day").issued());
        assertEquals(List.of("invoice@day", "invoice@day"), announced);
    }

    @Test
    void aNumberIsAValue() {
        Series invoices = daily(MADRID).open();
        SeriesNumber first = invoices.next(DAY);
        SeriesNumber second = invoices.next(DAY);
        List<SeriesNumber> others = List.of(
                second,
                invoices.next(DAY.plusDays(1)),
                daily(MADRID).key("x").open().next(DAY));
        for (SeriesNumber other : others) {
            assertNotEquals(first, other);
        }
        try (var same = SegmentGenerator.open(store + "-same")) {
            SeriesNumber equal = same.series("invoice")
                    .period(SeriesPeriod.DAY)
                    .zone(MADRID)
                    .open()
                    .next(DAY);
            assertEquals(first, equal);
            assertEquals(first.hashCode(), equal.hashCode());
        }
        assertEquals("SeriesNumber[invoice@2026-11-25 1]", first.toString());
        assertEquals("SeriesNumber[invoice/x@2026-11-25 1]", others.get(2).toString());
        assertNull(first.key());
        String message = refused(InvalidConfigException.class, first::text);
        assertTrue(message.contains("format(IdFormat)"), message);
    }

    @Test
    void aBatchIsOfOnePeriodAndAscends() {
        Series invoices = daily(MADRID).clock(clock).step(10).open();
        assertEquals(1, invoices.next().number());
        for (List<SeriesNumber> many : List.of(
                invoices.nextMany(30), invoices.nextMany(30, Duration.ofSeconds(1)), invoices.nextMany(30, DAY))) {
            assertEquals(30, many.size());
            assertThrows(UnsupportedOperationException.class, () -> many.remove(0));
            for (int at = 1; at < 30; at++) {
                assertTrue(many.get(at).number() > many.get(at - 1).number());
                assertEquals("2026-11-25", many.get(at).group());
            }
        }
        assertEquals(List.of(), invoices.nextMany(0));
        refused(InvalidArgumentException.class, () -> invoices.nextMany(-1));
    }

    @Test
    void aFutureGetsWhatACallGets() {
        Series invoices = daily(MADRID).clock(clock).open();
        assertEquals(1, invoices.nextAsync().join().number());
        assertEquals(2, invoices.nextAsync(Duration.ofSeconds(1)).join().number());
        assertEquals(
                "1999-02-03",
                invoices.nextAsync(LocalDate.of(1999, 2, 3)).join().group());
        assertEquals(5, invoices.nextManyAsync(5).join().size());
        List<CompletableFuture<?>> failing = List.of(
                invoices.nextAsync(Duration.ofSeconds(-1)),
                invoices.nextAsync(LocalDate.of(0, 1, 1)),
                invoices.nextManyAsync(-1));
        for (CompletableFuture<?> future : failing) {
            Throwable cause =
                    assertThrows(CompletionException.class, future::join).getCause();
            assertEquals(InvalidArgumentException.class, cause.getClass());
        }
    }

    @Test
    void aNumberThatDoesNotFitTheFormatIsRefusedBeforeItIsReturned() {
        Series invoices = daily(MADRID)
                .format(IdFormat.of("{year}{month}{day}{number:1}"))
                .open();
        assertEquals(9, invoices.nextMany(9, DAY).size());
        String message = refused(IdSpaceExhaustedException.class, () -> invoices.next(DAY));
        assertTrue(message.contains("number 10 of series \"invoice\""), message);
        refused(IdSpaceExhaustedException.class, () -> invoices.nextMany(2, DAY));
        var late = assertThrows(
                CompletionException.class, () -> invoices.nextAsync(DAY).join());
        assertEquals(IdSpaceExhaustedException.class, late.getCause().getClass());
    }

    @Test
    void anInterruptEndsAWait() {
        try (var away = SegmentGenerator.open("mysql://127.0.0.1:1/away")) {
            Series invoices = open(away.series("invoice"), SeriesPeriod.DAY);
            List<Executable> calls =
                    List.of(invoices::next, () -> invoices.nextMany(2), () -> invoices.next(LocalDate.of(1999, 2, 3)));
            for (Executable call : calls) {
                Thread.currentThread().interrupt();
                String message = refused(SegmentUnavailableException.class, call);
                assertTrue(Thread.interrupted());
                assertTrue(message.startsWith("interrupted while waiting for numbers of series \"invoice@"), message);
            }
        }
    }

    @Test
    void anotherZoneThanTheStoredOneIsRefused(@TempDir Path directory) {
        String url = "sqlite:///" + directory.resolve("ids.db");
        try (var first = SegmentGenerator.open(url);
                var second = SegmentGenerator.open(url);
                var third = SegmentGenerator.open(url)) {
            assertEquals(
                    1, open(first.series("invoice"), SeriesPeriod.DAY).next(DAY).number());
            Series elsewhere = second.series("invoice")
                    .period(SeriesPeriod.DAY)
                    .zone(ZoneId.of("America/Lima"))
                    .open();
            String message = refused(InvalidConfigException.class, elsewhere::next);
            assertTrue(message.contains("Europe/Madrid") && message.contains("America/Lima"), message);
            // Nothing was leased.
            Series same = open(third.series("invoice"), SeriesPeriod.DAY);
            assertEquals(1, same.next(DAY.plusDays(7)).number());
        }
    }

    @Test
    void optionsThatDoNotFitAreRefusedWithWhatToWrite() {
        SeriesBuilder series = ids.series("invoice");
        for (ZoneId offset : List.of(ZoneOffset.UTC, ZoneId.of("Z"), ZoneId.of("+01:00"))) {
            String message = refused(InvalidArgumentException.class, () -> series.zone(offset));
            assertTrue(message.contains("ZoneId.of(\"UTC\")"), message);
        }
        String message = refused(InvalidArgumentException.class, series::open);
        assertTrue(message.contains("period(SeriesPeriod.DAY)"), message);
        refused(InvalidArgumentException.class, () -> series.period(SeriesPeriod.DAY)
                .open());
        refused(InvalidArgumentException.class, () -> daily(ZoneId.of("UTC+2")).open());
        refused(
                InvalidArgumentException.class,
                () -> daily(MADRID).period(SeriesPeriod.FOREVER).open());
        refused(InvalidArgumentException.class, () -> daily(MADRID).key("a@b").open());
        refused(
                InvalidArgumentException.class,
                () -> daily(MADRID).key("\ud800").open());
        refused(InvalidArgumentException.class, () -> daily(MADRID).step(0).open());
        refused(InvalidArgumentException.class, () -> open(ids.series("a/b"), SeriesPeriod.DAY));
        IdFormat undated = IdFormat.of("{number}");
        message = refused(
                InvalidConfigException.class,
                () -> daily(MADRID).format(undated).open());
        assertTrue(message.contains("{day}"), message);
        Series held = daily(MADRID).open();
        refused(InvalidArgumentException.class, () -> daily(ZoneId.of("UTC")).open());
        assertEquals(MADRID, held.zone());
    }

    @Test
    void afterACloseEveryCallIsRefused() {
        Series invoices = daily(MADRID).open();
        Series onClock = daily(MADRID).clock(clock).open();
        Series unused = daily(MADRID).key("unused").open();
        invoices.next();
        invoices.next(DAY);
        onClock.next();
        ids.close();
        List<Executable> calls = List.of(
                invoices::next,
                () -> invoices.next(Duration.ofSeconds(1)),
                () -> invoices.next(DAY),
                () -> invoices.next(DAY.plusDays(1)),
                () -> invoices.nextMany(2),
                () -> invoices.nextMany(0),
                onClock::next,
                unused::next,
                daily(MADRID)::open);
        for (Executable call : calls) {
            assertThrows(ClosedException.class, call);
        }
        assertTrue(invoices.nextAsync().isCompletedExceptionally());
        assertEquals("invoice", invoices.name());
        assertTrue(invoices.toString().startsWith("Series[invoice by day of memory"), invoices.toString());
    }

    @Test
    void aGeneratorStaysOpenAsLongAsItsSeriesIsReachable() throws Exception {
        Series invoices = open(SegmentGenerator.open(store).series("invoice"), SeriesPeriod.DAY);
        for (int number = 1; number <= 20; number++) {
            System.gc();
            Thread.sleep(5);
            assertEquals(number, invoices.next(DAY).number());
        }
    }

    @Test
    void twoGeneratorsAndEightThreadsGetNoNumberTwice(@TempDir Path directory) throws Exception {
        String url = "sqlite:///" + directory.resolve("ids.db");
        var threads = Executors.newFixedThreadPool(8);
        var taken = new ArrayList<Future<List<SeriesNumber>>>();
        try (var first = SegmentGenerator.open(url);
                var second = SegmentGenerator.open(url)) {
            for (int thread = 0; thread < 8; thread++) {
                Series mine = open((thread % 2 == 0 ? first : second).series("invoice"), SeriesPeriod.DAY);
                taken.add(threads.submit(() -> {
                    var mineTaken = new ArrayList<SeriesNumber>();
                    for (int day = 0; day < 4; day++) {
                        for (int turn = 0; turn < 2000; turn++) {
                            mineTaken.add(mine.next(DAY.plusDays(day)));
                        }
                    }
                    return mineTaken;
                }));
            }
            var all = new HashSet<SeriesNumber>();
            for (Future<List<SeriesNumber>> mine : taken) {
                for (SeriesNumber number : mine.get()) {
                    assertTrue(all.add(number), number::toString);
                }
            }
            assertEquals(8 * 4 * 2000, all.size());
        } finally {
            threads.shutdownNow();
        }
    }
}
