package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.Layout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KeyGeneratorTest {
    private static final String RULES = """
            rules:
            - !SINGLE
              tables: ["*.*"]
            - !SHARDING
              tables:
                t_order:
                  actualDataNodes: ds.t_order_${0..3}
                  tableStrategy: {standard: {shardingColumn: id, shardingAlgorithmName: shards}}
                  keyGenerateStrategy: {column: id, keyGeneratorName: keys}
              shardingAlgorithms:
                shards: {type: LEAFMINT_MOD, props: {sharding-count: 4}}
              keyGenerators:
                keys: {type: %s, props: {%s}}
            """;

    private static List<Long> insertThreeRows(ShardedDatabase database) throws Exception {
        database.execute("CREATE TABLE t_order (id BIGINT PRIMARY KEY, item VARCHAR(20))");
        var keys = new ArrayList<Long>();
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO t_order (item) VALUES ('a'), ('b'), ('c')", Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            ResultSet generated = insert.getGeneratedKeys();
            while (generated.next()) {
                keys.add(generated.getLong(1));
            }
        }
        return keys;
    }

    @Test
    void keysComeFromTheTagOfTheTable() throws Exception {
        try (var database = new ShardedDatabase(
                RULES.formatted("LEAFMINT_SEGMENT", "url: 'STORE', auto-create: true, default_step: 100"))) {
            assertEquals(List.of(1L, 2L, 3L), insertThreeRows(database));
            assertEquals(List.of(1L), database.direct("SELECT id FROM t_order_1"));
            assertEquals(List.of(101L), database.direct("SELECT max_id FROM leaf_alloc WHERE biz_tag = 't_order'"));
        }
    }

    @Test
    void keysMayBeSnowflakes() throws Exception {
        try (var database = new ShardedDatabase(
                RULES.formatted("LEAFMINT_SNOWFLAKE", "url: 'STORE', state-files: false, auto-create: true"))) {
            List<Long> keys = insertThreeRows(database);
            assertEquals(3, keys.size());
            for (long key : keys) {
                Instant minted = Layout.of("leaf").decode(key).timestamp();
                assertTrue(Duration.between(minted, Instant.now()).abs().compareTo(Duration.ofMinutes(1)) < 0);
            }
        }
    }

    @Test
    void aMisspeltPropertyIsNamed() {
        Exception failure = assertThrows(
                Exception.class,
                () -> new ShardedDatabase(RULES.formatted("LEAFMINT_SEGMENT", "url: 'memory:', max-stepp: 5")));
        assertTrue(failure.getMessage().contains("max_stepp"), failure.getMessage());
        Exception missing =
                assertThrows(Exception.class, () -> new ShardedDatabase(RULES.formatted("LEAFMINT_SEGMENT", "tag: o")));
        assertTrue(missing.getMessage().contains("\"url\" is missing"), missing.getMessage());
    }
}
