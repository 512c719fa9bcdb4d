package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Needs a server: set the environment variable LEAFMINT_TEST_MYSQL to its URL, for example
 * mysql://root@127.0.0.1:3306/leafmint.
 */
@Timeout(120)
class MySqlTest {
    private static String url() {
        String url = System.getenv("LEAFMINT_TEST_MYSQL");
        assertNotNull(url, "set LEAFMINT_TEST_MYSQL to the URL of a MySQL or MariaDB database that tests may write to");
        return url;
    }

    private static String fresh(String tag) {
        return tag + "-" + UUID.randomUUID();
    }

    @Test
    void idsContinueWhereTheLastGeneratorEnded() {
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
        }
        try (var ids =
                SegmentGenerator.builder(url()).eager(true).eagerTags(tag).open()) {
            assertEquals(5001, ids.tag(tag).nextId());
            assertTrue(ids.scope().contains("mysql"));
        }
    }

    @Test
    void aRefusedLogInHasTheNumberOfTheServer() {
        try (var ids = SegmentGenerator.builder(url())
                .username("stranger")
                .password("s3ntinel")
                .open()) {
            Tag order = ids.tag("order");
            var refused = assertThrows(InvalidConfigException.class, order::nextId);
            assertEquals("1045", refused.serverCode());
            assertEquals("log_in_refused", refused.reason());
            assertNull(refused.getCause());
        }
    }

    @Test
    void generatorsThatShareADatabaseHaveDifferentWorkerIds() {
        String namespace = fresh("n");
        try (var one = SnowflakeGenerator.builder(url())
                        .autoCreate(true)
                        .namespace(namespace)
                        .workers("3-4")
                        .open();
                var two = SnowflakeGenerator.builder(url())
                        .autoCreate(true)
                        .namespace(namespace)
                        .workers("3-4")
                        .maxClockSkew(Duration.ofSeconds(5))
                        .open();
                var none = SnowflakeGenerator.builder(url())
                        .autoCreate(true)
                        .namespace(namespace)
                        .workers("3-4")
                        .open()) {
            var workers = new HashSet<Long>();
            workers.add(one.decode(one.nextId()).workerId());
            workers.add(two.decode(two.nextId()).workerId());
            assertEquals(Set.of(3L, 4L), workers);
            assertEquals("mysql lease", one.stats().holder());
            assertTrue(one.scope().contains("mysql"));
            assertThrows(WorkerIdUnavailableException.class, () -> none.nextId(Duration.ofMillis(500)));
            one.close();
            assertTrue(none.nextId(Duration.ofSeconds(30)) > 0, "a clean close frees the worker id");
        }
    }
}
