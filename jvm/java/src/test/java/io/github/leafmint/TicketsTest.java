package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Needs two servers: set the environment variable LEAFMINT_TEST_TICKETS to their URL, for example
 * tickets://root@127.0.0.1:3306,127.0.0.1:3307/leafmint.
 */
@Timeout(120)
class TicketsTest {
    @Test
    void generatorsOnIndependentServersNeverMintTheSameId() {
        String url = System.getenv("LEAFMINT_TEST_TICKETS");
        assertNotNull(url, "set LEAFMINT_TEST_TICKETS to the URL of ticket servers that tests may write to");
        String tag = "java-" + UUID.randomUUID();
        var minted = new HashSet<Long>();
        for (int generator = 0; generator < 4; generator++) {
            try (var ids = SegmentGenerator.open(url)) {
                ids.initSchema();
                assertEquals(generator == 0, ids.createTag(tag).create());
                Tag order = ids.tag(tag);
                for (int id = 0; id < 2500; id++) {
                    assertTrue(minted.add(order.nextId()));
                }
                assertThrows(InvalidArgumentException.class, () -> order.nextRange(1001));
            }
        }
        assertEquals(10_000, minted.size());
    }
}
