package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction of the caller is neither used nor changed by a lease. Needs a server: LEAFMINT_TEST_MYSQL. */
@Timeout(120)
class TransactionsTest {
    private static final FreshDatabase[] OPEN = new FreshDatabase[1];

    private final FreshDatabase database = OPEN[0] = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private ApplicationContextRunner application(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class))
                .withUserConfiguration(configurations)
                .withPropertyValues(database.dataSource("spring.datasource"))
                .withPropertyValues(
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.auto-create=true",
                        "leafmint.snowflake.enabled=true",
                        "leafmint.snowflake.state-files=false");
    }

    /** Takes first ids in a transaction that has written a row, and rolls it back. */
    private void rollBackAroundFirstIds(ApplicationContextRunner application, boolean isOfJdbc) {
        database.execute("CREATE TABLE " + database.name() + ".rows_of_caller (id BIGINT PRIMARY KEY)");
        application.run(context -> {
            assertThat(context).hasNotFailed();
            DataSource source = context.getBean(DataSource.class);
            var rows = new JdbcTemplate(source);
            var transaction = new TransactionTemplate(
                    isOfJdbc ? new DataSourceTransactionManager(source) : context.getBean(Stub.class));
            SegmentGenerator ids = context.getBean(SegmentGenerator.class);
            transaction.executeWithoutResult(status -> {
                rows.update("INSERT INTO rows_of_caller VALUES (1)");
                Long connection = rows.queryForObject("SELECT CONNECTION_ID()", Long.class);
                Object bound = TransactionSynchronizationManager.getResource(source);
                assertThat(ids.tag("order").nextId()).isEqualTo(1);
                assertThat(context.getBean(SnowflakeGenerator.class).nextId()).isPositive();
                assertThat(TransactionSynchronizationManager.getResource(source))
                        .isSameAs(bound);
                assertThat(rows.queryForObject("SELECT CONNECTION_ID()", Long.class))
                        .isEqualTo(connection);
                if (isOfJdbc) {
                    assertThat(rows.queryForObject("SELECT @@autocommit", Integer.class))
                            .isZero();
                    assertThat(database.read("SELECT id FROM " + database.name() + ".rows_of_caller"))
                            .isEmpty();
                }
                status.setRollbackOnly();
            });
            if (isOfJdbc) {
                assertThat(database.read("SELECT id FROM " + database.name() + ".rows_of_caller"))
                        .isEmpty();
            }
            assertThat(database.read(
                            "SELECT max_id > 1 FROM " + database.name() + ".leaf_alloc WHERE biz_tag = 'order'"))
                    .containsExactly("1");
            assertThat(ids.tag("order").nextId()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.zaxxer.hikari.HikariDataSource",
                "org.apache.tomcat.jdbc.pool.DataSource",
                "com.alibaba.druid.pool.DruidDataSource",
                "org.apache.commons.dbcp2.BasicDataSource"
            })
    void aRollbackOfTheCallerLeavesLeasedIdsLeased(String type) {
        rollBackAroundFirstIds(application().withPropertyValues("spring.datasource.type=" + type), true);
    }

    @ParameterizedTest
    @ValueSource(classes = {Lazily.class, TransactionAware.class})
    void aProxyThatKnowsTransactionsFindsNoneOfTheCallers(Class<?> proxied) {
        rollBackAroundFirstIds(application(proxied), true);
    }

    /** As with JTA: the manager begins nothing on a connection, and Spring binds one to the thread when it is used. */
    @ParameterizedTest
    @ValueSource(strings = {"com.zaxxer.hikari.HikariDataSource", "org.apache.commons.dbcp2.BasicDataSource"})
    void aManagerThatKnowsNoConnectionIsLeftAlone(String type) {
        rollBackAroundFirstIds(application(WithStub.class).withPropertyValues("spring.datasource.type=" + type), false);
    }

    @Configuration(proxyBeanMethods = false)
    static class Lazily {
        @Bean
        DataSource dataSource() {
            return new LazyConnectionDataSourceProxy(of());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TransactionAware {
        @Bean
        DataSource dataSource() {
            return new TransactionAwareDataSourceProxy(of());
        }
    }

    private static DataSource of() {
        return new DriverManagerDataSource(OPEN[0].url(), OPEN[0].name(), "s3cret");
    }

    @Configuration(proxyBeanMethods = false)
    static class WithStub {
        @Bean
        Stub manager() {
            return new Stub();
        }
    }

    /** Begins transactions that Spring synchronises with, and nothing else. */
    static class Stub extends AbstractPlatformTransactionManager implements PlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
