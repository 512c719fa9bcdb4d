package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.Layout;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.TagOptions;
import io.github.leafmint.sharding.Genes;
import io.github.leafmint.sharding.ShardRule;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ShardingTest {
    private static final String RULES = """
            rules:
            - !SINGLE
              tables: ["*.*"]
            - !SHARDING
              tables:
                t_order:
                  actualDataNodes: ds.t_order_${0..3}
                  tableStrategy: {%s}
              shardingAlgorithms:
                shards: {type: %s, props: {%s}}
            """;

    private static ShardedDatabase sharded(String strategy, String type, String properties, String columns)
            throws Exception {
        var database = new ShardedDatabase(RULES.formatted(strategy, type, properties));
        database.execute("CREATE TABLE t_order (" + columns + ")");
        return database;
    }

    @Test
    void aRowIsFoundByItsIdAndByTheKeyThatItsGeneCameFrom() throws Exception {
        try (var database = sharded(
                        "complex: {shardingColumns: 'id,user_id', shardingAlgorithmName: shards}",
                        "LEAFMINT_GENE",
                        "gene-bits: 4, sharding-count: 4, id-column: id, key-column: user_id",
                        "id BIGINT PRIMARY KEY, user_id BIGINT");
                var ids = SegmentGenerator.open("memory:")) {
            var orders = ids.tag("sharding-gene", new TagOptions().geneBits(4));
            try (Connection connection = database.connect();
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO t_order VALUES (?, ?)")) {
                for (long user = 0; user < 40; user++) {
                    insert.setLong(1, orders.nextIdWithGene(Genes.geneOfKey(user, 4)));
                    insert.setLong(2, user);
                    insert.executeUpdate();
                }
            }
            for (int table = 0; table < 4; table++) {
                assertEquals(List.of(10L), database.direct("SELECT COUNT(*) FROM t_order_" + table));
                assertEquals(
                        List.of((long) table), database.direct("SELECT DISTINCT (id % 16) % 4 FROM t_order_" + table));
            }
            long id = database.query("SELECT id FROM t_order WHERE user_id = 7").get(0);
            assertEquals(List.of(7L), database.query("SELECT user_id FROM t_order WHERE id = " + id));
            assertEquals(
                    1,
                    database.tablesOf("SELECT * FROM t_order WHERE id = " + id).size());
            assertEquals(
                    1,
                    database.tablesOf("SELECT * FROM t_order WHERE user_id = 7").size());
            assertEquals(
                    1,
                    database.tablesOf("SELECT * FROM t_order WHERE user_id IN (3, 7) AND id = " + id)
                            .size());
            assertEquals(
                    4,
                    database.tablesOf("SELECT * FROM t_order WHERE id > " + id).size());
            assertEquals(
                    40, database.query("SELECT id FROM t_order ORDER BY id").size());
        }
    }

    @Test
    void aRowIsFoundByItsNumberAndByItsKey() throws Exception {
        ShardRule rule = ShardRule.of("10", 4);
        try (var database = sharded(
                        "complex: {shardingColumns: 'number,user_name', shardingAlgorithmName: shards}",
                        "LEAFMINT_SHARD_SUFFIX",
                        "business-code: '10', sharding-count: 4, id-column: number, key-column: user_name",
                        "number VARCHAR(40) PRIMARY KEY, user_name VARCHAR(20), place INT");
                var ids = SegmentGenerator.open("memory:")) {
            try (Connection connection = database.connect();
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO t_order VALUES (?, ?, ?)")) {
                for (int user = 0; user < 20; user++) {
                    String number = rule.mint(ids.tag("sharding-suffix"), "user-" + user);
                    insert.setString(1, number);
                    insert.setString(2, "user-" + user);
                    insert.setInt(3, user);
                    insert.executeUpdate();
                    assertEquals(
                            List.of((long) user),
                            database.query("SELECT place FROM t_order WHERE number = '" + number + "'"));
                }
            }
            int table = rule.tableOf("user-7");
            assertEquals(
                    List.of(7L), database.direct("SELECT place FROM t_order_" + table + " WHERE user_name = 'user-7'"));
            assertEquals(
                    1,
                    database.tablesOf("SELECT * FROM t_order WHERE user_name = 'user-7'")
                            .size());
        }
    }

    @Test
    void aShortRangeOfIdsGoesOnlyToTheShardsThatCanHoldThem() throws Exception {
        try (var database = sharded(
                "standard: {shardingColumn: id, shardingAlgorithmName: shards}",
                "LEAFMINT_MOD",
                "sharding-count: 4",
                "id BIGINT PRIMARY KEY")) {
            for (long id = 1; id <= 12; id++) {
                database.execute("INSERT INTO t_order VALUES (" + id + ")");
            }
            assertEquals(List.of(3L, 7L, 11L), database.direct("SELECT id FROM t_order_3 ORDER BY id"));
            assertEquals(
                    List.of(6L, 7L), database.query("SELECT id FROM t_order WHERE id BETWEEN 6 AND 7 ORDER BY id"));
            assertEquals(
                    2,
                    database.tablesOf("SELECT id FROM t_order WHERE id BETWEEN 6 AND 7")
                            .size());
            assertEquals(
                    1, database.tablesOf("SELECT id FROM t_order WHERE id = 6").size());
            assertEquals(
                    4,
                    database.tablesOf("SELECT id FROM t_order WHERE id BETWEEN 1 AND 9")
                            .size());
            assertEquals(
                    4, database.tablesOf("SELECT id FROM t_order WHERE id > 6").size());
        }
    }

    @Test
    void aRangeOfTimeGoesOnlyToTheTablesOfItsMonths() throws Exception {
        Layout leaf = Layout.of("leaf");
        String rules = RULES.replace("t_order_${0..3}", "t_order_${202601..202604}")
                .formatted(
                        "standard: {shardingColumn: id, shardingAlgorithmName: shards}",
                        "LEAFMINT_SNOWFLAKE_INTERVAL",
                        "datetime-lower: '2026-01-01 00:00:00', sharding-suffix-pattern: yyyyMM");
        try (var database = new ShardedDatabase(rules)) {
            database.execute("CREATE TABLE t_order (id BIGINT PRIMARY KEY)");
            for (String day : List.of("2026-01-31", "2026-02-01", "2026-03-15", "2026-04-30")) {
                long id = leaf.compose(Instant.parse(day + "T23:59:59Z"))
                        .workerId(7)
                        .id();
                database.execute("INSERT INTO t_order VALUES (" + id + ")");
            }
            for (int month = 202601; month <= 202604; month++) {
                assertEquals(List.of(1L), database.direct("SELECT COUNT(*) FROM t_order_" + month));
            }
            String march =
                    "SELECT id FROM t_order WHERE id BETWEEN " + leaf.minId(Instant.parse("2026-02-10T00:00:00Z"))
                            + " AND " + leaf.maxId(Instant.parse("2026-03-31T23:59:59Z"));
            assertEquals(1, database.query(march).size());
            assertEquals(List.of("t_order_202602", "t_order_202603"), database.tablesOf(march));
            String sinceMarch =
                    "SELECT id FROM t_order WHERE id >= " + leaf.minId(Instant.parse("2026-03-01T00:00:00Z"));
            assertEquals(List.of("t_order_202603", "t_order_202604"), database.tablesOf(sinceMarch));
            long unknown = leaf.compose(Instant.parse("2026-05-01T00:00:00Z"))
                    .workerId(7)
                    .id();
            Exception failure = assertThrows(
                    Exception.class, () -> database.execute("INSERT INTO t_order VALUES (" + unknown + ")"));
            assertTrue(failure.getMessage().contains("202605"), failure.getMessage());
        }
    }
}
