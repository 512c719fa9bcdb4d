package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generators over databases that run inside the process, as tests of applications have them. */
@Timeout(120)
class LentDatabasesTest {
    static {
        // Derby writes to the folder in which it is started.
        System.setProperty("derby.stream.error.file", "target/derby.log");
    }

    private final String name = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1",
                "jdbc:hsqldb:mem:%s",
                "jdbc:derby:memory:%s;create=true",
                "jdbc:sqlite:file:%s?mode=memory&cache=shared"
            })
    void idsComeFromTheDatabaseThatTheRowsGoTo(String url) throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl(url.formatted(name));
        config.setMaximumPoolSize(2);
        Set<Long> minted = ConcurrentHashMap.newKeySet();
        try (var pool = new HikariDataSource(config);
                var ids = SegmentGenerator.open(pool);
                var flakes = SnowflakeGenerator.open(pool)) {
            var minting = new Minting();
            for (int thread = 0; thread < 8; thread++) {
                minting.start(() -> {
                    for (int each = 0; each < 300; each++) {
                        assertTrue(minted.add(ids.tag("order").nextId(Duration.ofSeconds(20))));
                        assertTrue(minted.add(flakes.nextId(Duration.ofSeconds(20))));
                    }
                });
            }
            minting.join();
            assertTrue(ids.listTags().toString().contains("order"), () -> ids.listTags()
                    .toString());
        }
        assertEquals(8 * 600, minted.size());
    }
}
