package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Needs a server: set the environment variable LEAFMINT_TEST_ZOOKEEPER to its URL, for example
 * zookeeper://127.0.0.1:2181/leaf.
 */
@Timeout(60)
class ZooKeeperTest {
    private static String url() {
        String url = System.getenv("LEAFMINT_TEST_ZOOKEEPER");
        assertNotNull(url, "set LEAFMINT_TEST_ZOOKEEPER to the URL of a ZooKeeper that tests may write to");
        return url;
    }

    private static SnowflakeGenerator open(String namespace) {
        return SnowflakeGenerator.builder(url())
                .namespace(namespace)
                .stateFiles(false)
                .open();
    }

    @Test
    void generatorsTakeWorkerIdsOfTheirOwn() {
        String namespace = "java-" + UUID.randomUUID();
        try (var one = open(namespace);
                var other = open(namespace)) {
            assertEquals(0, one.decode(one.nextId()).workerId());
            assertEquals(1, one.decode(other.nextId()).workerId());
            assertEquals(2, one.listWorkers().size());
            assertTrue(one.scope().contains("zookeeper://"), one.scope());
        }
    }
}
