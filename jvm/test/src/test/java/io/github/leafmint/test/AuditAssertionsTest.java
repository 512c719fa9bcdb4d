package io.github.leafmint.test;

import static io.github.leafmint.test.AuditAssertions.assertAudit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.Audit;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditAssertionsTest {
    private static final String RULES = "If that is meant, ignore: ";

    @TempDir
    Path folder;

    private String url;

    /** These tests have no driver of SQLite. */
    @BeforeEach
    void fill() throws Exception {
        String program = """
                import sqlite3, sys
                sqlite3.connect(sys.argv[1]).executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY);"
                "CREATE TABLE carts (id INTEGER PRIMARY KEY); INSERT INTO carts VALUES (9223372036854775807)")
                """;
        String file = folder.resolve("shop.db").toString();
        Process made =
                new ProcessBuilder("python3", "-c", program, file).inheritIO().start();
        assertEquals(0, made.waitFor());
        url = "sqlite:///" + file;
    }

    @Test
    void anAuditThatFindsAnythingFailsAndNamesWhatWouldIgnoreIt() {
        var failure = assertThrows(AssertionError.class, () -> assertAudit(Audit.of(url)));
        List<String> lines = failure.getMessage().lines().toList();
        assertEquals(4, lines.size());
        assertTrue(lines.get(0).startsWith("sqlite://"), lines.get(0));
        assertTrue(lines.get(1).startsWith("problem  carts.id: "), lines.get(1));
        assertTrue(lines.get(2).startsWith("note     carts.id: "), lines.get(2));
        assertEquals(RULES + "carts:runs_out, carts:rounded_in_json", lines.get(3));
        String[] rules = lines.get(3).substring(RULES.length()).split(", ");
        assertEquals(2, assertAudit(Audit.of(url).ignore(rules)).keys().size());
        assertTrue(assertAudit(Audit.of(url).tables("or*")).ok());
    }

    @Test
    void anAuditWithoutAKeyFails() {
        var failure = assertThrows(
                AssertionError.class, () -> assertAudit(Audit.of(url).tables("order*x")));
        assertTrue(failure.getMessage().contains("found no key"), failure.getMessage());
    }
}
