package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers without gaps, in databases that LEAFMINT_TEST_MYSQL and LEAFMINT_TEST_POSTGRES name. */
@Timeout(60)
class GaplessTest {
    private final String invoice = "invoice-" + UUID.randomUUID();
    private final String credit = "credit-" + UUID.randomUUID();

    enum Server {
        MYSQL("LEAFMINT_TEST_MYSQL", "mariadb", "1213"),
        POSTGRES("LEAFMINT_TEST_POSTGRES", "postgresql", "40P01");

        final String deadlock;
        private final String variable;
        private final String protocol;

        Server(String variable, String protocol, String deadlock) {
            this.variable = variable;
            this.protocol = protocol;
            this.deadlock = deadlock;
        }

        String url() {
            return Objects.requireNonNull(System.getenv(variable), variable);
        }

        Connection connect() throws SQLException {
            return connect("");
        }

        Connection connect(String parameters) throws SQLException {
            var server = URI.create(url());
            String[] account = server.getUserInfo().split(":", 2);
            return DriverManager.getConnection(
                    "jdbc:" + protocol + "://" + server.getHost() + ":" + server.getPort() + server.getPath()
                            + parameters,
                    account[0],
                    account.length > 1 ? account[1] : "");
        }

        /** Returns a connection in a transaction, in a database with the tables. */
        Connection begin() throws SQLException {
            Connection connection = connect();
            connection.setAutoCommit(false);
            return connection;
        }

        void createTables() throws SQLException {
            try (var ids = SegmentGenerator.open(url())) {
                ids.initSchema();
            }
            try (Connection connection = connect();
                    var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS gapless_documents (series varchar(128), number bigint)");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writersThatRollBackLeaveNoGap(Server server) throws Exception {
        server.createTables();
        inThreads(8, () -> {
            try (Connection connection = server.begin()) {
                for (int left = 20; left > 0; ) {
                    left -= written(connection) ? 1 : 0;
                }
            }
            return null;
        });
        var numbers = new ArrayList<Long>();
        try (Connection connection = server.connect();
                var select = connection.prepareStatement(
                        "SELECT number FROM gapless_documents WHERE series = ? ORDER BY number")) {
            select.setString(1, invoice);
            var rows = select.executeQuery();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        assertEquals(LongStream.rangeClosed(1, 160).boxed().toList(), numbers);
    }

    private boolean written(Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO gapless_documents VALUES (?, ?)")) {
            insert.setString(1, invoice);
            insert.setLong(2, Gapless.next(connection, invoice));
            insert.executeUpdate();
            if (ThreadLocalRandom.current().nextInt(3) > 0) {
                connection.commit();
                return true;
            }
        } catch (StoreUnavailableException conflict) {
            assertEquals("locked", conflict.reason());
        }
        connection.rollback();
        return false;
    }

    @ParameterizedTest
    @EnumSource
    void aSavepointThatRollsBackGivesTheNumberBack(Server server) throws SQLException {
        server.createTables();
        try (Connection connection = server.begin()) {
            assertEquals(100, Gapless.next(connection, invoice, 100));
            var savepoint = connection.setSavepoint();
            assertEquals(101, Gapless.next(connection, invoice));
            connection.rollback(savepoint);
            assertEquals(101, Gapless.next(connection, invoice));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoSeriesInBothOrdersFailByNameAndTheTransactionCanBeRepeated(Server server) throws Exception {
        server.createTables();
        take(server, invoice, credit, null);
        var meeting = new CyclicBarrier(2);
        var orders = new ArrayList<>(List.of(List.of(invoice, credit), List.of(credit, invoice)));
        var failures = new ArrayList<StoreUnavailableException>();
        inThreads(2, () -> {
            List<String> order;
            synchronized (orders) {
                order = orders.remove(0);
            }
            try {
                take(server, order.get(0), order.get(1), meeting);
            } catch (StoreUnavailableException failure) {
                synchronized (failures) {
                    failures.add(failure);
                }
                take(server, order.get(0), order.get(1), null);
            }
            return null;
        });
        assertEquals(1, failures.size());
        StoreUnavailableException failure = failures.get(0);
        assertEquals(List.of("locked", server.deadlock), List.of(failure.reason(), failure.serverCode()));
        assertTrue(failure.getMessage().contains("repeat it as a whole"), failure.getMessage());
        assertInstanceOf(SQLException.class, failure.getCause());
        try (Connection connection = server.begin()) {
            assertEquals(4, Gapless.next(connection, invoice));
            assertEquals(4, Gapless.next(connection, credit));
            connection.rollback();
        }
    }

    private static void take(Server server, String first, String second, CyclicBarrier meeting) throws Exception {
        try (Connection connection = server.begin()) {
            Gapless.next(connection, first);
            if (meeting != null) {
                meeting.await(10, TimeUnit.SECONDS);
            }
            Gapless.next(connection, second);
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void autoCommitAndARowWithoutANextNumberAreRefused(Server server) throws SQLException {
        server.createTables();
        try (Connection connection = server.connect()) {
            var refused = assertThrows(InvalidArgumentException.class, () -> Gapless.next(connection, invoice));
            assertTrue(refused.getMessage().contains("setAutoCommit"), refused.getMessage());
            assertThrows(InvalidArgumentException.class, () -> Gapless.next(connection, " "));
            connection.setAutoCommit(false);
            assertEquals(Long.MAX_VALUE, Gapless.next(connection, invoice, Long.MAX_VALUE));
            assertThrows(IdSpaceExhaustedException.class, () -> Gapless.next(connection, invoice));
            connection.rollback();
        }
    }

    @Test
    void aMissingTableIsNamed() throws SQLException {
        String database = "gapless_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection connection = Server.MYSQL.begin();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
            statement.execute("USE " + database);
            var missing = assertThrows(InvalidConfigException.class, () -> Gapless.next(connection, invoice));
            assertEquals("missing_table", missing.reason());
            assertTrue(missing.getMessage().contains("CREATE TABLE"), missing.getMessage());
            statement.execute("DROP DATABASE " + database);
        }
    }

    @Test
    void aTableThatCannotKeepASeriesIsRefusedWithTheRemedy() throws SQLException {
        String database = "gapless_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection connection = Server.MYSQL.begin();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
            statement.execute("USE " + database);
            for (var table : List.of(
                    List.of("name varchar(9), number bigint", "InnoDB", "ADD UNIQUE (name)"),
                    List.of("name varchar(9) PRIMARY KEY, number bigint", "MyISAM", "ENGINE=InnoDB"),
                    List.of("name varchar(9) PRIMARY KEY, number int", "InnoDB", "MODIFY number BIGINT"))) {
                statement.execute("CREATE TABLE leafmint_gapless (" + table.get(0) + ") ENGINE=" + table.get(1));
                var unfit = assertThrows(InvalidConfigException.class, () -> Gapless.next(connection, "invoice"));
                assertTrue(unfit.getMessage().contains(table.get(2)), unfit.getMessage());
                statement.execute("DROP TABLE leafmint_gapless");
            }
            statement.execute("DROP DATABASE " + database);
        }
    }

    @Test
    void statementsThatTheServerPreparesCountToo() throws SQLException {
        Server.MYSQL.createTables();
        try (Connection connection = Server.MYSQL.connect("?useServerPrepStmts=true")) {
            connection.setAutoCommit(false);
            assertEquals(7, Gapless.next(connection, invoice, 7));
            assertEquals(8, Gapless.next(connection, invoice));
            assertEquals(9, Gapless.next(connection, invoice));
            connection.rollback();
        }
    }

    private static void inThreads(int count, Callable<Void> work) throws Exception {
        var threads = Executors.newFixedThreadPool(count);
        try {
            var running = new ArrayList<Future<Void>>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(work));
            }
            for (Future<Void> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
