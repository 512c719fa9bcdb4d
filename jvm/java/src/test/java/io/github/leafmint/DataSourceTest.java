package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Generators over a {@link javax.sql.DataSource} of the application. */
@Timeout(120)
class DataSourceTest {
    private final String tag = "lent-" + UUID.randomUUID();

    private SegmentGenerator withTag(HikariDataSource pool, long step) {
        SegmentGenerator ids = SegmentGenerator.open(pool);
        ids.initSchema();
        assertTrue(ids.createTag(tag).step(step).create());
        return ids;
    }

    @ParameterizedTest
    @EnumSource
    void coldThreadsAndAPoolOfTwoConnectionsDoNotBlockEachOther(Databases database) throws Exception {
        Set<Long> minted = ConcurrentHashMap.newKeySet();
        try (HikariDataSource pool = database.pool();
                SegmentGenerator ids = withTag(pool, 10)) {
            var minting = new Minting();
            for (int thread = 0; thread < 40; thread++) {
                minting.start(() -> {
                    try (Connection connection = pool.getConnection()) {
                        connection.setAutoCommit(false);
                        connection.rollback();
                    }
                    for (int each = 0; each < 50; each++) {
                        assertTrue(minted.add(ids.tag(tag).nextId(Duration.ofSeconds(20))));
                    }
                });
            }
            minting.join();
        }
        assertEquals(2000, minted.size());
    }

    @ParameterizedTest
    @EnumSource
    void nativeAndLentConnectionsShareATable(Databases database) throws Exception {
        Set<Long> minted = ConcurrentHashMap.newKeySet();
        try (HikariDataSource pool = database.pool();
                SegmentGenerator lent = withTag(pool, 7);
                SegmentGenerator own = SegmentGenerator.open(database.url());
                SegmentGenerator driver = SegmentGenerator.builder(database.jdbcUrl())
                        .username(database.user())
                        .password(database.password())
                        .open()) {
            var minting = new Minting();
            for (SegmentGenerator ids : new SegmentGenerator[] {lent, own, driver}) {
                minting.start(() -> {
                    for (int each = 0; each < 500; each++) {
                        assertTrue(minted.add(ids.tag(tag).nextId(Duration.ofSeconds(20))));
                    }
                });
            }
            minting.join();
        }
        assertEquals(1500, minted.size());
    }

    @ParameterizedTest
    @EnumSource
    void theTransactionOfTheCallerIsNotTouched(Databases database) throws Exception {
        String table = "callers_" + UUID.randomUUID().toString().replace("-", "");
        database.execute("CREATE TABLE " + table + " (id BIGINT PRIMARY KEY)");
        try (HikariDataSource pool = database.pool();
                SegmentGenerator ids = withTag(pool, 10);
                Connection caller = pool.getConnection()) {
            caller.setAutoCommit(false);
            try (Statement statement = caller.createStatement()) {
                statement.execute(
                        "INSERT INTO " + table + " VALUES (" + ids.tag(tag).nextId() + ")");
                assertEquals(2, ids.tag(tag).nextId());
                caller.rollback();
                assertFalse(caller.getAutoCommit());
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
                    assertTrue(rows.next());
                    assertEquals(0, rows.getInt(1));
                }
            }
            assertEquals(3, ids.tag(tag).nextId(), "what was leased stays leased");
        } finally {
            database.execute("DROP TABLE " + table);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPoolThatCommitsByHandGetsItsConnectionsBackSo(Databases database) throws Exception {
        var config = database.pool(1);
        config.setAutoCommit(false);
        try (var pool = new HikariDataSource(config);
                SegmentGenerator ids = withTag(pool, 10)) {
            assertEquals(1, ids.tag(tag).nextId());
            try (Connection connection = pool.getConnection()) {
                assertFalse(connection.getAutoCommit());
            }
        }
        try (SegmentGenerator ids = SegmentGenerator.open(database.url())) {
            assertTrue(ids.tag(tag).nextId() > 1, "the lease was committed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReadOnlyPoolIsRefusedByName(Databases database) {
        var config = database.pool(1);
        config.setReadOnly(true);
        try (var pool = new HikariDataSource(config);
                SegmentGenerator ids = SegmentGenerator.open(pool)) {
            Tag order = ids.tag(tag);
            var refused = assertThrows(LeafmintException.class, () -> order.nextId(Duration.ofSeconds(2)));
            assertTrue(refused.getMessage().contains("read-only"), refused::getMessage);
            assertTrue(refused.getMessage().contains("HikariDataSource " + database.jdbcUrl()), refused::getMessage);
        }
    }

    @ParameterizedTest
    @EnumSource
    void workerIdsAreSharedWithNativeGenerators(Databases database) throws Exception {
        String namespace = UUID.randomUUID().toString().replace("-", "");
        try (HikariDataSource pool = database.pool();
                SnowflakeGenerator lent = SnowflakeGenerator.builder(pool)
                        .autoCreate(true)
                        .namespace(namespace)
                        .open();
                SnowflakeGenerator own = SnowflakeGenerator.builder(database.url())
                        .autoCreate(true)
                        .namespace(namespace)
                        .open()) {
            assertTrue(lent.nextId() != own.nextId());
            assertTrue(lent.workerId().getAsLong() != own.workerId().getAsLong());
            assertEquals(2, own.listWorkers().size());
            assertEquals(own.listWorkers().size(), lent.listWorkers().size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExhaustedPoolIsNamedAndMayBeAskedAgain(Databases database) throws Exception {
        var config = database.pool(1);
        config.setConnectionTimeout(300);
        config.setPoolName("shop");
        try (HikariDataSource patient = database.pool()) {
            withTag(patient, 10).close();
        }
        try (var pool = new HikariDataSource(config);
                SegmentGenerator ids = SegmentGenerator.open(pool)) {
            Tag order = ids.tag(tag);
            try (Connection all = pool.getConnection()) {
                assertFalse(all.isReadOnly());
                var refused =
                        assertThrows(SegmentUnavailableException.class, () -> order.nextId(Duration.ofSeconds(2)));
                assertTrue(refused.getMessage().contains("shop - Connection is not available"), refused::getMessage);
                assertTrue(refused.getMessage().contains(database.jdbcUrl()), refused::getMessage);
            }
            assertEquals(1, order.nextId(Duration.ofSeconds(20)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionsAreGivenBackWithTheSettingsThatTheyHad(Databases database) throws Exception {
        String settings = database == Databases.POSTGRES
                ? "SELECT current_setting('statement_timeout') || current_setting('lock_timeout')"
                        + " || current_setting('search_path') || current_setting('transaction_isolation')"
                : "SELECT CONCAT(@@autocommit, @@sql_mode, @@lock_wait_timeout, @@innodb_lock_wait_timeout,"
                        + " @@time_zone, @@tx_isolation, @@collation_connection)";
        try (var pool = new HikariDataSource(database.pool(1))) {
            String before = first(pool, settings);
            try (SegmentGenerator ids = withTag(pool, 10)) {
                assertEquals(1, ids.tag(tag).nextId());
                assertEquals(before, first(pool, settings));
            }
        }
    }

    private static String first(HikariDataSource pool, String query) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }

    @Test
    void aUrlThatNoDriverKnowsIsRefusedAtOnce() {
        var refused = assertThrows(
                InvalidConfigException.class,
                () -> SegmentGenerator.open("jdbc:oracle:thin:scott/tiger@//db:1521/shop?password=s3ntinel"));
        assertTrue(refused.getMessage().contains("driver"), refused::getMessage);
        assertFalse(refused.getMessage().contains("tiger"), refused::getMessage);
        assertFalse(refused.getMessage().contains("s3ntinel"), refused::getMessage);
    }

    @Test
    void optionsOfLeafmintInTheUrlOfADriverAreRefused() {
        var refused = assertThrows(
                InvalidConfigException.class,
                () -> SegmentGenerator.open("jdbc:mysql://127.0.0.1:1/shop?useSSL=false&auto_create=true"));
        assertTrue(refused.getMessage().contains("option(\"auto_create\", value)"), refused::getMessage);
    }

    @Test
    void whatIsTheDataSourcesToSayIsRefused() throws Exception {
        try (HikariDataSource pool = Databases.MARIADB.pool()) {
            var builder = SegmentGenerator.builder(pool).username("someone").sslMode(SslMode.REQUIRED);
            var refused = assertThrows(InvalidConfigException.class, builder::open);
            assertTrue(refused.getMessage().contains("user"), refused::getMessage);
            assertTrue(refused.getMessage().contains("ssl_mode"), refused::getMessage);
            var supplied = SegmentGenerator.builder(pool).credentials(() -> new Credentials("a", "b"));
            assertThrows(InvalidConfigException.class, supplied::open);
        }
    }

    @Test
    void aSupplierIsAskedForTheAccountOfEachConnectionOfADriver() {
        var asked = new AtomicInteger();
        try (SegmentGenerator ids = SegmentGenerator.builder(Databases.MARIADB.jdbcUrl())
                .credentials(() -> {
                    asked.incrementAndGet();
                    return new Credentials(Databases.MARIADB.user(), Databases.MARIADB.password());
                })
                .autoCreate(true)
                .open()) {
            assertEquals(1, ids.tag(tag).nextId(Duration.ofSeconds(20)));
        }
        assertTrue(asked.get() >= 1);
    }

    /** Takes an id, and ends without a close. */
    static final class Ends {
        public static void main(String[] arguments) {
            SegmentGenerator ids =
                    SegmentGenerator.open(Databases.valueOf(arguments[0]).pool());
            System.out.println("id " + ids.tag(arguments[1]).nextId());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theExitGivesBackWhatWasNotUsed(Databases database) throws Exception {
        try (HikariDataSource pool = database.pool();
                SegmentGenerator ids = withTag(pool, 10)) {
            for (int id = 1; id <= 2; id++) {
                var java = JavaProcess.run(List.of(), Ends.class, database.name(), tag);
                assertEquals(0, java.status(), java.output());
                assertTrue(java.output().contains("id " + id + "\n"), java.output());
            }
            assertEquals(3, ids.tag(tag).nextId());
        }
    }

    /** Wrappers that bind connections to a thread find no transaction on leafmint's. */
    @ParameterizedTest
    @EnumSource
    void wrappersAreKeptAndATransactionOfSpringIsNotTouched(Databases database) throws Exception {
        try (HikariDataSource pool = database.pool();
                SegmentGenerator made = withTag(pool, 10)) {
            assertEquals(1, made.tag(tag).nextId());
            var bound = new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(pool));
            try (SegmentGenerator ids = SegmentGenerator.open(bound)) {
                assertTrue(ids.scope().contains(database.jdbcUrl()), ids::scope);
                var transaction = new TransactionTemplate(new DataSourceTransactionManager(bound));
                List<Long> minted = transaction.execute(status -> {
                    status.setRollbackOnly();
                    try (Connection connection = bound.getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute("SELECT 1");
                        return List.of(ids.tag(tag).nextId(), ids.tag(tag).nextId());
                    } catch (SQLException failure) {
                        throw new IllegalStateException(failure);
                    }
                });
                long first = minted.get(0);
                assertEquals(
                        List.of(first, first + 1, first + 2),
                        List.of(first, minted.get(1), ids.tag(tag).nextId()));
                try (SegmentGenerator later = SegmentGenerator.open(pool)) {
                    assertTrue(later.tag(tag).nextId() > first + 2, "the lease is not rolled back");
                }
            }
        }
    }
}
