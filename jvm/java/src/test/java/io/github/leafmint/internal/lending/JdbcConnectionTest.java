package io.github.leafmint.internal.lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.Databases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class JdbcConnectionTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final List<String> called = new ArrayList<>();

    private Connection h2() throws SQLException {
        return DriverManager.getConnection(url);
    }

    private static LentConnection lent(Connection connection) throws SQLException {
        return JdbcConnection.of(connection, true, Connection::close);
    }

    /** A connection that notes what is called, of which one call fails. */
    private Connection failing(String failing) throws SQLException {
        Connection target = h2();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    called.add(method.getName());
                    if (method.getName().equals(failing)) {
                        throw new SQLException("it failed", "HY000", 77);
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private static Ran only(List<Ran> results) {
        assertEquals(1, results.size(), results::toString);
        return results.get(0);
    }

    @Test
    void resultsAreTextsCountsAndFailures() throws Exception {
        LentConnection connection = lent(h2());
        List<Ran> results = connection.run(List.of(
                "CREATE TABLE t (a INT PRIMARY KEY, b BOOLEAN, c VARCHAR(9))",
                "INSERT INTO t VALUES (1, TRUE, '{d ?}'), (2, FALSE, NULL)",
                "SELECT * FROM t ORDER BY a",
                "SELECT * FROM t WHERE a = 3",
                "INSERT INTO t VALUES (1, TRUE, NULL)",
                "SELECT 1"));
        assertEquals(5, results.size(), "up to the first that fails");
        assertEquals(new Ran.Changed(2), results.get(1));
        var rows = assertInstanceOf(Ran.Rows.class, results.get(2)).rows();
        assertEquals(List.of("1", "TRUE", "{d ?}"), List.of(rows.get(0)));
        assertNull(rows.get(1)[2]);
        assertEquals(0, assertInstanceOf(Ran.Rows.class, results.get(3)).rows().size());
        var failed = assertInstanceOf(Ran.Failed.class, results.get(4));
        assertEquals("23505", failed.state());
        assertEquals(23505, failed.number());
        assertTrue(!failed.isLost());
        connection.close();
    }

    @Test
    void aTransactionIsWholeOrNothing() throws Exception {
        LentConnection connection = lent(h2());
        connection.run(List.of("CREATE TABLE t (a INT PRIMARY KEY)"));
        List<Ran> failed = connection.runTogether(List.of("INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"));
        assertEquals(2, failed.size());
        assertEquals(
                1, connection.runTogether(List.of("INSERT INTO t VALUES (2)")).size());
        var rows = assertInstanceOf(Ran.Rows.class, only(connection.run(List.of("SELECT a FROM t"))))
                .rows();
        assertEquals(List.of("2"), List.of(rows.get(0)));
        assertEquals(1, rows.size());
        connection.close();
    }

    @Test
    void aCommitThatFailsIsOneMoreResult() throws Exception {
        LentConnection connection = lent(failing("commit"));
        connection.run(List.of("CREATE TABLE t (a INT PRIMARY KEY)"));
        List<Ran> results = connection.runTogether(List.of("INSERT INTO t VALUES (1)"));
        assertEquals(2, results.size());
        assertEquals(new Ran.Failed(77, "HY000", "it failed", false), results.get(1));
        assertTrue(called.contains("rollback"), called::toString);
    }

    @Test
    void whatCannotBeRolledBackIsNotCommittedByTheNextStatement() throws Exception {
        LentConnection connection = lent(failing("rollback"));
        connection.run(List.of("CREATE TABLE t (a INT PRIMARY KEY)"));
        called.clear();
        connection.runTogether(List.of("INSERT INTO t VALUES (1)", "nonsense"));
        assertEquals(1, called.stream().filter("setAutoCommit"::equals).count(), called::toString);
        assertTrue(called.contains("abort"), called::toString);
        var refused = assertInstanceOf(Ran.Failed.class, only(connection.run(List.of("SELECT 1"))));
        assertTrue(refused.isLost());
        connection.close();
    }

    @Test
    void aConnectionThatIsRefusedIsGivenBack() throws Exception {
        Connection readOnly = failing("nothing");
        Connection closes = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    called.add(method.getName());
                    return method.getName().equals("isReadOnly") ? (Object) true : method.invoke(readOnly, arguments);
                });
        var refused = assertThrows(SQLException.class, () -> lent(closes));
        assertEquals("25006", refused.getSQLState());
        assertTrue(called.contains("close"), called::toString);
    }

    @ParameterizedTest
    @EnumSource
    void aCutEndsAStatementThatWaits(Databases database) throws Exception {
        LentConnection connection = lent(database.connect());
        String sleep = database == Databases.POSTGRES ? "SELECT pg_sleep(50)" : "SELECT SLEEP(50)";
        var waiting = CompletableFuture.supplyAsync(() -> connection.run(List.of(sleep)));
        try (Connection other = database.connect();
                var statement = other.createStatement()) {
            String sessions = database == Databases.POSTGRES
                    ? "SELECT 1 FROM pg_stat_activity WHERE query = '" + sleep + "' AND state = 'active'"
                    : "SELECT 1 FROM information_schema.processlist WHERE info = '" + sleep + "'";
            boolean isWaiting = false;
            while (!isWaiting) {
                try (var rows = statement.executeQuery(sessions)) {
                    isWaiting = rows.next();
                }
            }
        }
        connection.cut();
        assertTrue(assertInstanceOf(Ran.Failed.class, only(waiting.get())).isLost());
        connection.close();
    }

    @Test
    void aCutEndsAStatementOfADriverThatCannotAbort() throws Exception {
        LentConnection connection = lent(h2());
        String endless = "SELECT SUM(a.x * b.x) FROM SYSTEM_RANGE(1, 1000000) a, SYSTEM_RANGE(1, 1000000) b";
        var waiting = CompletableFuture.supplyAsync(() -> connection.run(List.of(endless)));
        try (Connection other = h2();
                var statement = other.createStatement()) {
            boolean isRunning = false;
            while (!isRunning) {
                try (var rows = statement.executeQuery("SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS"
                        + " WHERE EXECUTING_STATEMENT LIKE 'SELECT SUM%'")) {
                    isRunning = rows.next();
                }
            }
        }
        while (!waiting.isDone()) {
            connection.cut();
            Thread.sleep(10);
        }
        assertEquals(
                "57014", assertInstanceOf(Ran.Failed.class, only(waiting.get())).state());
        connection.close();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatWasCutDoesNotServeTheApplication(Databases database) throws Exception {
        try (var pool = new HikariDataSource(database.pool(1))) {
            LentConnection lent = lent(pool.getConnection());
            lent.cut();
            lent.close();
            try (Connection next = pool.getConnection();
                    var statement = next.createStatement()) {
                assertTrue(statement.execute("SELECT 1"));
            }
        }
    }
}
