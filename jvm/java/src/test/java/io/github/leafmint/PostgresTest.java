package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Needs a server: set the environment variable LEAFMINT_TEST_POSTGRES to its URL, for example
 * postgresql://postgres@127.0.0.1:5432/leafmint.
 */
@Timeout(120)
class PostgresTest {
    private static String url() {
        String url = System.getenv("LEAFMINT_TEST_POSTGRES");
        assertNotNull(url, "set LEAFMINT_TEST_POSTGRES to the URL of a PostgreSQL database that tests may write to");
        return url;
    }

    private static String fresh(String tag) {
        return tag + "-" + UUID.randomUUID();
    }

    /** Returns the URL as pgjdbc takes it, with the account in parameters. */
    private static String ofJdbc(String parameters) {
        String[] parts = url().substring("postgresql://".length()).split("@", 2);
        String[] account = parts[0].split(":", 2);
        String password = account.length > 1 ? account[1] : "";
        return "jdbc:postgresql://" + parts[1] + "?user=" + account[0] + "&password=" + password + parameters;
    }

    @Test
    void idsContinueWhereTheLastGeneratorEndedUnderBothFormsOfTheUrl() {
        String tag = fresh("go-on 🍃");
        try (var ids = SegmentGenerator.open(url())) {
            ids.initSchema();
            assertThrows(UnknownTagException.class, () -> ids.tag(tag).nextId());
            assertTrue(ids.createTag(tag)
                    .step(100)
                    .start(5000)
                    .description("a test")
                    .create());
            assertFalse(ids.createTag(tag).step(100).start(9000).create());
            assertEquals(5000, ids.tag(tag).nextId());
            assertTrue(ids.scope().contains("postgresql"), ids.scope());
        }
        String jdbc = ofJdbc("&sslmode=prefer&ApplicationName=shop&reWriteBatchedInserts=true");
        try (var ids = SegmentGenerator.builder(jdbc).eager(true).eagerTags(tag).open()) {
            assertEquals(5001, ids.tag(tag).nextId());
        }
    }

    @Test
    void aTableThatIsNotInTheSchemaIsNamedWithTheStatementThatCreatesIt() {
        try (var ids = SegmentGenerator.open(ofJdbc("&currentSchema=no_such_schema"))) {
            var failure =
                    assertThrows(LeafmintException.class, () -> ids.tag("order").nextId());
            assertTrue(failure.getMessage().contains("no_such_schema"), failure.getMessage());
        }
    }

    @Test
    void aWrongPasswordIsANamedErrorThatDoesNotRepeatIt() {
        try (var ids = SegmentGenerator.builder(url().replaceFirst("//[^@]*@", "//"))
                .username("no_such_account")
                .password("s3ntinel")
                .open()) {
            var failure =
                    assertThrows(LeafmintException.class, () -> ids.tag("order").nextId());
            assertFalse(failure.getMessage().contains("s3ntinel"), failure.getMessage());
        }
    }
}
