package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** A data source of ShardingSphere in an application of Spring Boot, and without Spring. */
class SpringDataSourceTest {
    private static final String REFUSAL = "ShardingSphere";

    private ShardedDatabase database;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeEach
    void create() throws Exception {
        database = new ShardedDatabase("rules: []\n");
    }

    @AfterEach
    void drop() throws Exception {
        database.close();
    }

    private static ConfigurableApplicationContext start(Map<String, DataSource> beans, String... properties) {
        ApplicationContextInitializer<GenericApplicationContext> register =
                context -> beans.forEach((name, bean) -> context.registerBean(
                        name,
                        DataSource.class,
                        () -> bean,
                        definition -> definition.setPrimary(name.equals("sharded"))));
        return new SpringApplicationBuilder(Application.class)
                .initializers(register)
                .properties(properties)
                .run();
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    @Test
    void theStartIsRefusedByName() {
        var failure = assertThrows(RuntimeException.class, () -> start(Map.of("sharded", database.sharded())));
        String message = rootOf(failure).getMessage();
        assertTrue(message.contains("the data source \"sharded\" is ShardingSphere's"), message);
        assertTrue(message.contains("set leafmint.segment.data-source"), message);
    }

    @Test
    void aPropertyNamesTheDataSourceOfOneDatabase() throws Exception {
        try (HikariDataSource ids = database.pool();
                var context = start(
                        Map.of("sharded", database.sharded(), "ids", ids),
                        "leafmint.segment.data-source=ids",
                        "leafmint.segment.auto-create=true",
                        "leafmint.segment.init-schema=true")) {
            assertEquals(1, context.getBean(SegmentGenerator.class).tag("order").nextId());
        }
    }

    @Test
    void generatorsRefuseItToo() {
        DataSource sharded = database.sharded();
        var wrapped = new LazyConnectionDataSourceProxy(sharded);
        for (DataSource source : new DataSource[] {sharded, wrapped}) {
            assertRefused(assertThrows(InvalidConfigException.class, () -> SegmentGenerator.builder(source)));
            assertRefused(assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.builder(source)));
        }
        String url = "jdbc:shardingsphere:classpath:shards.yaml";
        assertRefused(assertThrows(InvalidConfigException.class, () -> SegmentGenerator.open(url)));
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            assertRefused(assertThrows(InvalidConfigException.class, () -> SegmentGenerator.open(pool)));
        }
    }

    private static void assertRefused(InvalidConfigException refusal) {
        assertTrue(refusal.getMessage().contains(REFUSAL), refusal.getMessage());
    }
}
