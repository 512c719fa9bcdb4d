package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PageTest {
    private static final Path PAGE = Path.of("../../docs/shardingsphere.md");

    private static String rulesOfThePage() throws Exception {
        return Files.readString(PAGE).split("```yaml\n")[1].split("```")[0];
    }

    @Test
    void theRulesOfThePageWork() throws Exception {
        String rules = rulesOfThePage().replace("mysql://user:password@host/database", "STORE");
        try (var database = new ShardedDatabase(rules)) {
            database.execute("CREATE TABLE t_order (id BIGINT PRIMARY KEY, user_id BIGINT)");
            database.execute("CREATE TABLE t_log (id BIGINT PRIMARY KEY, text VARCHAR(20))");
            database.execute("INSERT INTO t_order (id, user_id) VALUES (23, 7)");
            database.execute("INSERT INTO t_log (text) VALUES ('a'), ('b')");
            assertEquals(
                    7L,
                    database.query("SELECT user_id FROM t_order WHERE id = 23").get(0));
            assertEquals(23L, database.direct("SELECT id FROM t_order_3").get(0));
            assertEquals(2L, database.query("SELECT COUNT(*) FROM t_log").get(0));
        }
    }
}
