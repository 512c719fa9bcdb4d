package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.internal.results.Results;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers without gaps through the drivers of JDBC. */
@Timeout(60)
class GaplessSequenceTest {
    private final GaplessSequence invoice = sequence("invoice-").build();
    private final GaplessSequence credit = sequence("credit-").build();

    private static GaplessSequenceBuilder sequence(String name) {
        return GaplessSequence.named(name + UUID.randomUUID()).period(SeriesPeriod.FOREVER);
    }

    @ParameterizedTest
    @EnumSource
    void aSavepointThatRollsBackGivesTheNumberBack(GaplessDatabase database) throws SQLException {
        database.createTables();
        try (Connection connection = database.begin()) {
            GaplessSequence bill = sequence("bill-").start(100).build();
            assertEquals(100, bill.next(connection).number());
            var savepoint = connection.setSavepoint();
            assertEquals(101, bill.next(connection).number());
            connection.rollback(savepoint);
            assertEquals(101, bill.next(connection).number());
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void twoSequencesInBothOrdersFailByNameAndTheTransactionCanBeRepeated(GaplessDatabase database) throws Exception {
        database.createTables();
        take(database, invoice, credit, null);
        var meeting = new CyclicBarrier(2);
        var orders = new ArrayList<>(List.of(List.of(invoice, credit), List.of(credit, invoice)));
        var failures = new ArrayList<StoreUnavailableException>();
        inThreads(2, () -> {
            List<GaplessSequence> order;
            synchronized (orders) {
                order = orders.remove(0);
            }
            try {
                take(database, order.get(0), order.get(1), meeting);
            } catch (StoreUnavailableException failure) {
                synchronized (failures) {
                    failures.add(failure);
                }
                take(database, order.get(0), order.get(1), null);
            }
        });
        assertEquals(1, failures.size());
        StoreUnavailableException failure = failures.get(0);
        assertEquals("locked", failure.reason());
        assertTrue(List.of("1213", "40P01").contains(failure.serverCode()), failure::serverCode);
        assertTrue(failure.getMessage().contains("repeat it as a whole"), failure.getMessage());
        assertInstanceOf(SQLException.class, failure.getCause());
        try (Connection connection = database.begin()) {
            assertEquals(4, invoice.next(connection).number());
            assertEquals(4, credit.next(connection).number());
            connection.rollback();
        }
    }

    private static void take(
            GaplessDatabase database, GaplessSequence first, GaplessSequence second, CyclicBarrier meeting)
            throws Exception {
        try (Connection connection = database.begin()) {
            first.next(connection).number();
            if (meeting != null) {
                meeting.await(10, TimeUnit.SECONDS);
            }
            second.next(connection).number();
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void autoCommitAndARowWithoutANextNumberAreRefused(GaplessDatabase database) throws SQLException {
        database.createTables();
        try (Connection connection = database.connect()) {
            var refused = assertThrows(InvalidArgumentException.class, () -> invoice.next(connection)
                    .number());
            assertTrue(refused.getMessage().contains("setAutoCommit"), refused.getMessage());
            connection.setAutoCommit(false);
            GaplessSequence full = sequence("full-").start(Long.MAX_VALUE).build();
            assertEquals(Long.MAX_VALUE, full.next(connection).number());
            assertThrows(IdSpaceExhaustedException.class, () -> full.next(connection));
            connection.rollback();
        }
    }

    @Test
    void aMissingTableIsNamed() throws SQLException {
        String database = "gapless_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection connection = GaplessDatabase.MARIADB.begin();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
            statement.execute("USE " + database);
            var missing = assertThrows(
                    InvalidConfigException.class, () -> invoice.next(connection).number());
            assertEquals("missing_table", missing.reason());
            assertTrue(missing.getMessage().contains("CREATE TABLE"), missing.getMessage());
            statement.execute("DROP DATABASE " + database);
        }
    }

    @Test
    void aTableThatCannotKeepASequenceIsRefusedWithTheRemedy() throws SQLException {
        String database = "gapless_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection connection = GaplessDatabase.MARIADB.begin();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
            statement.execute("USE " + database);
            GaplessSequence bill =
                    GaplessSequence.named("bill").period(SeriesPeriod.FOREVER).build();
            for (var table : List.of(
                    List.of("name varchar(9), number bigint", "InnoDB", "ADD UNIQUE (name)"),
                    List.of("name varchar(9) PRIMARY KEY, number bigint", "MyISAM", "ENGINE=InnoDB"),
                    List.of("name varchar(9) PRIMARY KEY, number int", "InnoDB", "MODIFY number BIGINT"))) {
                statement.execute("CREATE TABLE leafmint_gapless (" + table.get(0) + ") ENGINE=" + table.get(1));
                var unfit = assertThrows(InvalidConfigException.class, () -> bill.next(connection));
                assertTrue(unfit.getMessage().contains(table.get(2)), unfit.getMessage());
                statement.execute("DROP TABLE leafmint_gapless");
            }
            statement.execute("DROP DATABASE " + database);
        }
    }

    @Test
    void statementsThatTheServerPreparesCountToo() throws SQLException {
        GaplessDatabase.MARIADB.createTables();
        try (Connection connection = DriverManager.getConnection(
                Databases.MARIADB.jdbcUrl() + "?useServerPrepStmts=true",
                Databases.MARIADB.user(),
                Databases.MARIADB.password())) {
            connection.setAutoCommit(false);
            GaplessSequence bill = sequence("bill-").start(7).build();
            assertEquals(7, bill.next(connection).number());
            assertEquals(8, bill.next(connection).number());
            assertEquals(9, bill.next(connection).number());
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aDriverThatPingsBeforeEachStatementCountsToo(GaplessDatabase database) throws SQLException {
        database.createTables();
        try (Connection connection = database.begin()) {
            Connection pinging = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            assertTrue(connection.isValid(10));
                        }
                        return method.invoke(connection, arguments);
                    });
            for (long number = 1; number < 4; number++) {
                assertEquals(number, invoice.next(pinging).number());
            }
            connection.rollback();
        }
    }

    @Test
    void aDriverThatCorrectsItsCountCountsToo() throws SQLException {
        GaplessDatabase.MYSQL.createTables();
        try (Connection connection = DriverManager.getConnection(
                Databases.MYSQL.jdbcUrl() + "?compensateOnDuplicateKeyUpdateCounts=true",
                Databases.MYSQL.user(),
                Databases.MYSQL.password())) {
            connection.setAutoCommit(false);
            for (long number = 1; number < 4; number++) {
                assertEquals(number, invoice.next(connection).number());
            }
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSavepointThatIsReleasedLeavesTheNumberInTheTransaction(GaplessDatabase database) throws SQLException {
        database.createTables();
        try (Connection connection = database.begin()) {
            var savepoint = connection.setSavepoint();
            assertEquals(1, invoice.next(connection).number());
            connection.releaseSavepoint(savepoint);
            connection.rollback();
            assertEquals(1, invoice.next(connection).number());
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunFollowsOnTheLastNumberAndComesBackAsAWhole(GaplessDatabase database) throws SQLException {
        database.createTables();
        try (Connection connection = database.begin();
                Connection other = database.connect()) {
            assertEquals(Optional.empty(), invoice.last(connection));
            assertEquals(List.of(), invoice.nextMany(connection, 0));
            assertEquals(List.of(1L, 2L, 3L), numbersOf(invoice.nextMany(connection, 3)));
            assertEquals(4, invoice.next(connection).number());
            connection.commit();
            assertEquals(List.of(5L, 6L), numbersOf(invoice.nextMany(connection, 2)));
            assertEquals(6, invoice.last(connection).orElseThrow().number());
            assertEquals(4, invoice.last(other).orElseThrow().number());
            connection.rollback();
            assertEquals(4, invoice.last(connection).orElseThrow().number());
            assertEquals(1000, invoice.nextMany(connection, 1000).size());
            connection.rollback();
            for (long count : new long[] {-1, (1L << 26) + 1}) {
                assertThrows(InvalidArgumentException.class, () -> invoice.nextMany(connection, count));
            }
        }
    }

    private static List<Long> numbersOf(List<SeriesNumber> numbers) {
        return numbers.stream().map(SeriesNumber::number).toList();
    }

    @ParameterizedTest
    @EnumSource
    void eachPeriodAndKeyCountsForItself(GaplessDatabase database) throws SQLException {
        database.createTables();
        // 23:30 on New Year's Eve in Madrid, when it is 2027 in Athens.
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-12-31T22:30:00Z"));
        GaplessSequenceBuilder builder = GaplessSequence.named("bill-" + UUID.randomUUID())
                .period(SeriesPeriod.YEAR)
                .format(IdFormat.of("{key}/{year}-{number:4}"))
                .start(7)
                .clock(clock);
        GaplessSequence madrid =
                builder.zone(ZoneId.of("Europe/Madrid")).key("shop-1").build();
        GaplessSequence athens =
                builder.zone(ZoneId.of("Europe/Athens")).key("shop-2").build();
        try (Connection connection = database.begin()) {
            SeriesNumber number = madrid.next(connection);
            assertEquals("shop-1/2026-0007", number.text());
            assertEquals(List.of(7L, "2026", "shop-1"), List.of(number.number(), number.group(), number.key()));
            assertEquals(LocalDate.of(2026, 1, 1), number.date());
            assertEquals("shop-2/2027-0007", athens.next(connection).text());
            LocalDate later = LocalDate.of(2027, 6, 30);
            assertEquals("shop-1/2027-0007", madrid.next(connection, later).text());
            assertEquals(
                    "shop-1/2027-0010",
                    madrid.nextMany(connection, 3, later).get(2).text());
            assertEquals(
                    "shop-1/2027-0010",
                    madrid.last(connection, later).orElseThrow().text());
            assertEquals(
                    "shop-1/2026-0007", madrid.last(connection).orElseThrow().text());
            assertEquals(
                    number, madrid.last(connection, LocalDate.of(2026, 2, 1)).orElseThrow());
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePeriodsOfADatabaseAreListed(GaplessDatabase database) throws SQLException {
        database.createTables();
        GaplessSequence bills = sequence("bill-")
                .period(SeriesPeriod.MONTH)
                .zone(ZoneId.of("UTC"))
                .key("shop-7")
                .build();
        try (Connection connection = database.begin()) {
            bills.nextMany(connection, 3, LocalDate.of(2026, 10, 31));
            bills.next(connection, LocalDate.of(2026, 11, 1));
            invoice.next(connection);
            connection.commit();
        }
        try (SegmentGenerator ids = SegmentGenerator.open(database.url())) {
            var names = List.of(bills.name(), invoice.name());
            var listed = ids.listGapless().stream()
                    .filter(each -> names.contains(each.name()))
                    .toList();
            var expected = List.of(
                    new Results.GaplessInfo(bills.name(), "shop-7", SeriesPeriod.MONTH, "2026-10", 3L, null),
                    new Results.GaplessInfo(bills.name(), "shop-7", SeriesPeriod.MONTH, "2026-11", 1L, null),
                    new Results.GaplessInfo(invoice.name(), null, SeriesPeriod.FOREVER, "", 1L, null));
            assertEquals(expected, listed);
        }
    }

    @Test
    void aStoreWithoutATableOfSequencesListsNone() {
        try (SegmentGenerator ids = SegmentGenerator.open("memory:")) {
            assertThrows(InvalidConfigException.class, ids::listGapless);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFormatThatIsFullTakesNothing(GaplessDatabase database) throws SQLException {
        database.createTables();
        GaplessSequence bills =
                sequence("bill-").format(IdFormat.of("B{number:2}")).start(97).build();
        try (Connection connection = database.begin()) {
            assertEquals("B97", bills.next(connection).text());
            connection.commit();
            var full = assertThrows(IdSpaceExhaustedException.class, () -> bills.nextMany(connection, 3));
            assertTrue(full.getMessage().contains("its numbers end at 99"), full::getMessage);
            connection.rollback();
            assertEquals("B99", bills.nextMany(connection, 2).get(1).text());
            connection.commit();
            assertThrows(IdSpaceExhaustedException.class, () -> bills.next(connection));
            connection.rollback();
            assertEquals("B99", bills.last(connection).orElseThrow().text());
        }
    }

    @Test
    void aDatabaseOfAnotherProductIsRefusedByName() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + invoice.name())) {
            connection.setAutoCommit(false);
            var refused = assertThrows(InvalidArgumentException.class, () -> invoice.next(connection));
            assertTrue(refused.getMessage().contains("\"H2\""), refused::getMessage);
        }
    }

    @Test
    void aConnectionThatIsClosedFailsByName() throws SQLException {
        Connection connection = GaplessDatabase.SQLITE.begin();
        connection.close();
        var failure = assertThrows(StoreUnavailableException.class, () -> invoice.next(connection));
        assertInstanceOf(SQLException.class, failure.getCause());
    }

    @Test
    void aDeclarationIsJudgedWithoutADatabase() {
        GaplessSequence bills = GaplessSequence.named("bill")
                .period(SeriesPeriod.MONTH)
                .zone(ZoneId.of("Europe/Madrid"))
                .key("shop-7")
                .format(IdFormat.of("{key}/{year}{month}/{number:3}"))
                .start(10)
                .build();
        assertEquals(List.of("bill", "shop-7", 10L), List.of(bills.name(), bills.key(), bills.start()));
        assertEquals(List.of(SeriesPeriod.MONTH, ZoneId.of("Europe/Madrid")), List.of(bills.period(), bills.zone()));
        assertEquals("GaplessSequence[bill/shop-7 by month]", bills.toString());
        var year = GaplessSequence.named("bill").period(SeriesPeriod.YEAR);
        refused("has no period", () -> GaplessSequence.named("bill").build());
        refused("is an offset", () -> year.zone(ZoneOffset.UTC));
        refused("zone", year::build);
        year.zone(ZoneId.of("UTC"));
        refused("start=0", year.start(0)::build);
        refused("key", year.start(1).key("a@b")::build);
        refused("\"a/b\"", GaplessSequence.named("a/b").period(SeriesPeriod.FOREVER)::build);
        assertThrows(InvalidConfigException.class, year.key("shop-7").format(IdFormat.of("{number}"))::build);
        assertThrows(NullPointerException.class, () -> GaplessSequence.named(null));
    }

    private static void refused(String what, Executable call) {
        var refused = assertThrows(InvalidArgumentException.class, call);
        assertTrue(refused.getMessage().contains(what), refused::getMessage);
    }

    @Test
    void aDateBelongsToASequenceWithPeriods() throws SQLException {
        GaplessDatabase.SQLITE.createTables();
        GaplessSequence years = sequence("bill-")
                .period(SeriesPeriod.YEAR)
                .zone(ZoneId.of("UTC"))
                .build();
        try (Connection connection = GaplessDatabase.SQLITE.begin()) {
            refused("never starts again", () -> invoice.next(connection, LocalDate.of(2026, 1, 1)));
            refused("year=0", () -> invoice.next(connection, LocalDate.of(0, 1, 1)));
            refused("never starts again", () -> invoice.last(connection, LocalDate.of(2026, 1, 1)));
            for (int year : new int[] {0, -1, 10_000}) {
                assertThrows(InvalidArgumentException.class, () -> years.next(connection, LocalDate.of(year, 1, 1)));
            }
        }
    }

    private static void inThreads(int count, Minting.Work work) throws InterruptedException {
        var threads = new Minting();
        for (int i = 0; i < count; i++) {
            threads.start(work);
        }
        threads.join();
    }
}
