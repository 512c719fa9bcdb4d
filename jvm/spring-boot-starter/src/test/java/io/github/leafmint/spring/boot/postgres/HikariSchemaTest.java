package io.github.leafmint.spring.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.Leafmint;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the pool is told outside the URL decides where ids are leased. */
@Timeout(120)
class HikariSchemaTest {
    private final TestSchema schema = new TestSchema();

    @BeforeEach
    void create() {
        schema.create();
        // Other tests have tables of worker ids in the schema public, and leafmint would not make a second set.
        schema.execute(Leafmint.schemaSql("postgresql"));
        schema.execute("DROP TABLE leaf_alloc");
    }

    @AfterEach
    void drop() {
        schema.drop();
    }

    private ApplicationContextRunner service(String... outsideTheUrl) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class))
                .withPropertyValues(schema.dataSource())
                .withPropertyValues("spring.datasource.url=" + schema.url().replaceFirst("\\?.*", ""))
                .withPropertyValues(outsideTheUrl)
                .withPropertyValues(
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.tags.order.create=true",
                        "leafmint.snowflake.enabled=true",
                        "leafmint.snowflake.state-files=false");
    }

    /** Three services that name one schema in three ways count on, and take worker ids from each other. */
    @Test
    void servicesOfOneSchemaShareItsTagsAndWorkerIds() {
        var ids = new ArrayList<Long>();
        var workers = new ArrayList<Long>();
        List<String> ways = List.of(
                "spring.datasource.hikari.schema=" + schema.name(),
                "spring.datasource.hikari.data-source-properties.currentSchema=" + schema.name(),
                "spring.datasource.hikari.connection-init-sql=SET search_path TO " + schema.name());
        service(ways.get(0)).run(first -> service(ways.get(1))
                .run(second -> service(ways.get(2)).run(third -> {
                    for (var context : List.of(first, second, third, first)) {
                        ids.add(context.getBean(SegmentGenerator.class)
                                .tag("order")
                                .nextId());
                        SnowflakeGenerator flakes = context.getBean(SnowflakeGenerator.class);
                        workers.add(flakes.decode(flakes.nextId()).workerId());
                    }
                    String tables = "SELECT count(*) FROM pg_tables WHERE schemaname = ? AND tablename = 'leaf_alloc'";
                    assertThat(new JdbcTemplate(first.getBean(javax.sql.DataSource.class))
                                    .queryForObject(tables, Integer.class, schema.name()))
                            .isEqualTo(1);
                })));
        assertThat(ids).doesNotHaveDuplicates().startsWith(1L);
        assertThat(workers.subList(0, 3)).doesNotHaveDuplicates();
    }
}
