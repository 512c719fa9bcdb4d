package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.druid.spring.boot3.autoconfigure.DruidDataSourceAutoConfigure;
import com.alibaba.druid.spring.boot3.autoconfigure.DruidDataSourceWrapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The pool of Druid's starter, with the filters that its users have. Needs a server: LEAFMINT_TEST_MYSQL. */
@Timeout(120)
class DruidTest {
    private final FreshDatabase database = new FreshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DruidDataSourceAutoConfigure.class,
                    DataSourceAutoConfiguration.class,
                    LeafmintAutoConfiguration.class))
            .withPropertyValues(database.dataSource("spring.datasource"))
            .withPropertyValues(
                    "spring.datasource.type=com.alibaba.druid.pool.DruidDataSource",
                    "leafmint.segment.init-schema=true",
                    "leafmint.segment.tags.order.create=true");

    @AfterEach
    void drop() {
        database.close();
    }

    private void assertMints(ApplicationContextRunner shop) {
        shop.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(DataSource.class)).isInstanceOf(DruidDataSourceWrapper.class);
            assertThat(context.getBean(SegmentGenerator.class).tag("order").nextId())
                    .isEqualTo(1);
        });
        await().until(() -> database.connections().isEmpty());
    }

    /** A pool that ends what is held for a second would end leafmint's connections. */
    @Test
    void statisticsFirewallAndHuntForAbandonedConnectionsDoNotDisturb() {
        assertMints(application.withPropertyValues(
                "spring.datasource.druid.filters=stat,wall",
                "spring.datasource.druid.remove-abandoned=true",
                "spring.datasource.druid.remove-abandoned-timeout=1",
                "spring.datasource.druid.max-active=1"));
    }

    @Test
    @SuppressWarnings("deprecation") // as applications have it
    void aPasswordThatDruidDecryptsIsUsed() throws Exception {
        String[] keys = com.alibaba.druid.filter.config.ConfigTools.genKeyPair(512);
        assertMints(application.withPropertyValues(
                "spring.datasource.password=" + com.alibaba.druid.filter.config.ConfigTools.encrypt(keys[0], "s3cret"),
                "spring.datasource.druid.filters=config",
                "spring.datasource.druid.connection-properties=config.decrypt=true;config.decrypt.key=" + keys[1]));
    }
}
