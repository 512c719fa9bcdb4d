package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generators over a {@link ConnectionFactory}. */
@Timeout(120)
class R2dbcGeneratorsTest {
    private final String tag = "reactive-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource
    void idsOfR2dbcAndOfNativeConnectionsAreUniqueTogether(R2dbcDrivers driver) throws Exception {
        String name = driver.connections().getMetadata().getName();
        mint(driver.connections(), driver.database.url(), name);
    }

    @Test
    void testsOfApplicationsMintInH2() throws Exception {
        mint(ConnectionFactories.get("r2dbc:h2:mem:///" + tag + "?options=DB_CLOSE_DELAY=-1"), null, "H2");
    }

    /** As the contexts of tests are, which stay open. */
    @Test
    void twoDatabasesInMemoryAreTwo() {
        for (String option : new String[] {"", "?options=DB_CLOSE_DELAY=-1"}) {
            String url = "r2dbc:h2:mem:///" + tag;
            try (SegmentGenerator one = open(url + "-one" + option);
                    SegmentGenerator other = open(url + "-other" + option)) {
                assertNotEquals(one.scope(), other.scope());
                assertEquals(1, one.tag(tag).nextId(Duration.ofSeconds(20)));
                assertEquals(1, other.tag(tag).nextId(Duration.ofSeconds(20)));
            }
        }
    }

    private static SegmentGenerator open(String url) {
        return R2dbcGenerators.segments(ConnectionFactories.get(url)).open();
    }

    private void mint(ConnectionFactory factory, String url, String name) throws Exception {
        Set<Long> minted = ConcurrentHashMap.newKeySet();
        try (SegmentGenerator lent =
                        R2dbcGenerators.segments(factory).autoCreate(true).open();
                SnowflakeGenerator flakes = R2dbcGenerators.snowflakes(factory)
                        .namespace("reactive")
                        .open()) {
            assertEquals(1, lent.tag(tag).nextId(Duration.ofSeconds(20)));
            assertTrue(lent.scope().contains(name), lent::scope);
            try (SegmentGenerator own = url == null ? lent : SegmentGenerator.open(url)) {
                var minting = new Minting();
                for (SegmentGenerator ids : new SegmentGenerator[] {lent, own}) {
                    minting.start(() -> {
                        for (int each = 0; each < 3000; each++) {
                            assertTrue(minted.add(ids.tag(tag).nextId(Duration.ofSeconds(20))));
                            assertTrue(minted.add(flakes.nextId(Duration.ofSeconds(20))));
                        }
                    });
                }
                minting.join();
            }
        }
        assertEquals(12_000, minted.size());
    }
}
