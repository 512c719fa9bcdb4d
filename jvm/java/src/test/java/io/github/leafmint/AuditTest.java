package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.audit.Severity;
import io.github.leafmint.internal.results.Results;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Audits, of files and of the databases that LEAFMINT_TEST_MYSQL and LEAFMINT_TEST_POSTGRES name. */
@Timeout(60)
class AuditTest {
    private static final BigInteger LARGEST_INT = BigInteger.valueOf(Integer.MAX_VALUE);
    private static final BigInteger EXACT = BigInteger.valueOf(1L << 53);

    private final String prefix = "audit_" + UUID.randomUUID().toString().substring(0, 8);
    private final List<String> tables = new ArrayList<>();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRES"})
    void aKeyThatRunsOutIsAProblemAndTheOthersAreFine(Databases server) throws Exception {
        try (Connection connection = server.connect()) {
            try {
                table(connection, "orders", "INT", 2_000_000_000L);
                table(connection, "lines", "BIGINT", 7);
                table(connection, "events", "BIGINT", EXACT.longValue() + 1);
                var database = URI.create(server.url());
                String[] account = (database.getUserInfo() + ":").split(":", -1);
                AuditReport report = Audit.of("jdbc:" + server.url().replaceFirst("//[^@]*@", "//"))
                        .username(account[0])
                        .password(account[1])
                        .tables(prefix + "_orders", prefix + "_l*", prefix + "_events")
                        .run();
                var first = report.findings().get(0);
                var used = BigInteger.valueOf(2_000_000_000);
                assertEquals(
                        new Results.AuditFinding(
                                FindingKind.RUNS_OUT,
                                Severity.PROBLEM,
                                prefix + "_orders",
                                "id",
                                used,
                                LARGEST_INT,
                                first.text()),
                        first);
                assertTrue(first.text().startsWith("93.1 % of int"), first.text());
                var rounded = report.findings().get(1);
                assertEquals(
                        List.of(FindingKind.ROUNDED_IN_JSON, Severity.NOTE, EXACT.add(BigInteger.ONE), EXACT),
                        List.of(rounded.kind(), rounded.severity(), rounded.value(), rounded.limit()));
                assertEquals(2, report.findings().size());
                assertFalse(report.ok());
                KeyUse key = report.keys().get(0);
                assertEquals(
                        new Results.KeyUse(prefix + "_orders", "id", key.dataType(), used, LARGEST_INT, null), key);
                assertEquals(3, report.keys().size());
                assertEquals(List.of(), report.unread());
                assertTrue(report.scope().contains(database.getPath()), report.scope());
                assertTrue(
                        Duration.between(report.readAt(), Instant.now()).abs().toSeconds() < 60);
            } finally {
                drop(connection);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRES"})
    void aTagIsComparedWithItsTable(Databases server) throws Exception {
        try (Connection connection = server.connect();
                var ids = SegmentGenerator.open(server.url())) {
            try {
                table(connection, "orders", "BIGINT", 500);
                ids.initSchema();
                ids.createTag(prefix).step(100).start(400).create();
                var audit = Audit.of(server.url()).tables(prefix + "_*").tag(prefix + "_orders", prefix);
                var finding = audit.run().findings().get(0);
                assertEquals(
                        List.of(FindingKind.TAG_BEHIND, BigInteger.valueOf(400), BigInteger.valueOf(500)),
                        List.of(finding.kind(), finding.value(), finding.limit()));
                ids.raiseTagAbove(prefix, 500);
                assertEquals(List.of(), audit.run().findings());
            } finally {
                drop(connection);
            }
        }
    }

    @Test
    void numbersOfUnsignedColumnsAreExact() throws Exception {
        try (Connection connection = Databases.MARIADB.connect()) {
            try {
                table(connection, "orders", "BIGINT UNSIGNED", 1);
                sql(connection, "UPDATE " + prefix + "_orders SET id = 18446744073709551610");
                var audit = Audit.of(Databases.MARIADB.url()).tables(prefix + "_orders");
                AuditReport report = audit.run();
                KeyUse key = report.keys().get(0);
                assertEquals(new BigInteger("18446744073709551610"), key.used());
                assertEquals(new BigInteger("18446744073709551615"), key.largest());
                AuditReport later = audit.since(earlier(report, key.used().subtract(BigInteger.ONE)))
                        .run();
                Duration left = later.keys().get(0).timeLeft();
                assertEquals(Duration.ofHours(10).toMinutes(), left.toMinutes(), 15);
            } finally {
                drop(connection);
            }
        }
    }

    @Test
    void anEarlierReportGivesTheDaysThatAreLeft() throws Exception {
        String url = sqlite("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1000)");
        AuditReport first = Audit.of(url).run();
        assertNull(first.keys().get(0).timeLeft());
        assertNull(Audit.of(url).since(first).run().keys().get(0).timeLeft(), "it is too young");
        AuditReport second =
                Audit.of(url).since(earlier(first, BigInteger.ZERO)).run();
        Duration longest = Duration.of(Long.MAX_VALUE, ChronoUnit.MICROS);
        assertEquals(longest, second.keys().get(0).timeLeft());
        for (String used : new String[] {"-1", "18446744073709551616"}) {
            var wrong = Audit.of(url).since(earlier(first, new BigInteger(used)));
            assertThrows(InvalidArgumentException.class, wrong::run);
        }
    }

    /** Returns a report of two hours before, in which each key was used this far. */
    private static AuditReport earlier(AuditReport report, BigInteger used) {
        List<KeyUse> keys = report.keys().stream()
                .<KeyUse>map(
                        key -> new Results.KeyUse(key.table(), key.column(), key.dataType(), used, key.largest(), null))
                .toList();
        Instant before = report.readAt().minus(2, ChronoUnit.HOURS);
        return new Results.AuditReport(report.scope(), before, keys, List.of(), List.of());
    }

    @Test
    void aSnowflakeAheadOfTheClockIsFoundWithTheLayout() throws Exception {
        Layout leaf = Layout.of("leaf");
        long ahead = leaf.minId(Instant.now().plus(Duration.ofHours(1)));
        String url = sqlite("CREATE TABLE events (id INTEGER PRIMARY KEY); INSERT INTO events VALUES (" + ahead + ")");
        assertEquals(List.of(FindingKind.ROUNDED_IN_JSON), kinds(Audit.of(url)));
        assertEquals(
                List.of(FindingKind.CLOCK_AHEAD, FindingKind.ROUNDED_IN_JSON),
                kinds(Audit.of(url).layout(leaf)));
    }

    @Test
    void findingsThatAreIgnoredAreLeftOut() throws Exception {
        String table = "CREATE TABLE %1$s (id INTEGER PRIMARY KEY); INSERT INTO %1$s VALUES (9223372036854775807);";
        String url = sqlite(table.formatted("orders") + table.formatted("old_orders"));
        List<FindingKind> both = List.of(FindingKind.RUNS_OUT, FindingKind.ROUNDED_IN_JSON);
        assertEquals(4, Audit.of(url).run().findings().size());
        assertEquals(both, kinds(Audit.of(url).ignore("old_*")));
        assertEquals(List.of(FindingKind.RUNS_OUT), kinds(Audit.of(url).ignore("old_*", "*:rounded_in_json")));
        AuditReport report = Audit.of(url).ignore("*:problem").run();
        assertTrue(report.ok());
        assertEquals(2, report.keys().size());
    }

    @Test
    void eachKindAndSeverityHasTheNameOfTheCore() throws Exception {
        String url = sqlite("");
        List<String> names = Stream.concat(
                        Stream.of(FindingKind.values()).map(FindingKind::text),
                        Stream.of(Severity.values()).map(Severity::text))
                .toList();
        names.forEach(name -> Audit.of(url).ignore("*:" + name).run());
        var refused = assertThrows(InvalidArgumentException.class, Audit.of(url).ignore("*:nothing")::run);
        assertTrue(refused.getMessage().contains(" one of " + String.join(", ", names) + ";"), refused.getMessage());
        for (FindingKind kind : FindingKind.values()) {
            assertEquals(kind.name().toLowerCase(), kind.text());
        }
    }

    @Test
    void whatCannotBeAuditedIsRefusedByName() {
        List<Audit> wrong = List.of(
                Audit.of("memory:"),
                Audit.of("tickets://user@h1,h2/db"),
                Audit.of("nothing://"),
                Audit.of(""),
                Audit.of("\ud800"),
                Audit.of("sqlite:///" + folder.resolve("missing.db")),
                Audit.of("sqlite:///" + folder).option("no_such_option", 1));
        for (Audit audit : wrong) {
            assertThrows(InvalidConfigException.class, audit::run);
        }
        assertFalse(Files.exists(folder.resolve("missing.db")), "an audit makes no file");
        var audit = Audit.of("memory:");
        List<Executable> surrogates = List.of(
                () -> audit.tables("\ud800"), () -> audit.tag("\ud800", "a"), () -> audit.ignore("a", "\udc00"));
        surrogates.forEach(call -> assertThrows(InvalidArgumentException.class, call));
        List<Executable> nulls = List.of(
                () -> Audit.of((String) null),
                () -> audit.tables((String) null),
                () -> audit.tag("a", null),
                () -> audit.layout(null),
                () -> audit.since(null));
        nulls.forEach(call -> assertThrows(NullPointerException.class, call));
    }

    @Test
    void aServerThatDoesNotAnswerIsAStoreThatIsUnavailable() {
        var audit = Audit.of("mysql://127.0.0.1:1/shop").username("shop").password("s3ntinel");
        var failure = assertThrows(StoreUnavailableException.class, audit.connectTimeout(Duration.ofMillis(300))::run);
        assertFalse((failure + "" + audit).contains("s3ntinel"), failure.getMessage());
    }

    @Test
    void aSupplierGivesTheCredentials() {
        String url = Databases.POSTGRES.url();
        String[] account = (URI.create(url).getUserInfo() + ":").split(":", -1);
        var audit = Audit.of(url.replaceFirst("//[^@]*@", "//")).tables("none");
        audit.credentials(() -> new Credentials(account[0], account[1]));
        var answer = assertThrows(InvalidArgumentException.class, audit::run);
        assertTrue(answer.getMessage().contains("no table \"none\""), answer.getMessage());
        audit.credentials(() -> {
            throw new IOException("the vault is sealed");
        });
        var failure = assertThrows(StoreUnavailableException.class, audit::run);
        assertTrue(failure.getMessage().contains("the vault is sealed"), failure.getMessage());
    }

    @Test
    void aReportIsALineForEachFindingWithoutControlCharacters() throws Exception {
        String table = "CREATE TABLE 'a\u001b[2J\u202e' (id INTEGER PRIMARY KEY);"
                + "INSERT INTO 'a\u001b[2J\u202e' VALUES (9223372036854775807)";
        AuditReport report = Audit.of(sqlite(table)).run();
        var withUnread = new Results.AuditReport(
                "shop", report.readAt(), report.keys(), report.findings(), List.of("secr\u001bets"));
        List<String> lines = withUnread.toString().lines().toList();
        assertEquals("shop: keys: 1, findings: 2", lines.get(0));
        assertTrue(
                lines.get(1).startsWith("problem  a\\u{1b}[2J\\u{202e}.id: 100.0 % of integer is used"), lines.get(1));
        assertTrue(lines.get(2).startsWith("note     a\\u{1b}[2J\\u{202e}.id: holds numbers above 2^53"), lines.get(2));
        assertEquals("unread   secr\\u{1b}ets: this account may not read it, or it is locked or damaged", lines.get(3));
        assertEquals(4, lines.size());
    }

    private static List<FindingKind> kinds(Audit audit) {
        return audit.run().findings().stream().map(AuditFinding::kind).toList();
    }

    private void table(Connection connection, String name, String type, long last) throws Exception {
        tables.add(prefix + "_" + name);
        sql(connection, "CREATE TABLE " + prefix + "_" + name + " (id " + type + " PRIMARY KEY)");
        sql(connection, "INSERT INTO " + prefix + "_" + name + " VALUES (" + last + ")");
    }

    private void drop(Connection connection) throws Exception {
        for (String table : tables) {
            sql(connection, "DROP TABLE " + table);
        }
    }

    private static void sql(Connection connection, String statement) throws Exception {
        try (var made = connection.createStatement()) {
            made.execute(statement);
        }
    }

    /** Makes a database of SQLite, for which these tests have no driver, and returns its URL. */
    private String sqlite(String statements) throws Exception {
        String file = folder.resolve(UUID.randomUUID() + ".db").toString();
        String program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript('VACUUM;' + sys.argv[2])";
        var made = JavaProcess.execute(List.of("python3", "-c", program, file, statements));
        assertEquals(0, made.status(), made.output());
        return "sqlite:///" + file;
    }
}
