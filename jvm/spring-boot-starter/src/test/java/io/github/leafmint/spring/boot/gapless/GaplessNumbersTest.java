package io.github.leafmint.spring.boot.gapless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Leafmint;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import io.github.leafmint.spring.boot.postgres.TestSchema;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceProperties;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

class GaplessNumbersTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeafmintGaplessAutoConfiguration.class))
            .withPropertyValues(TestDatabase.properties("leafmint_gapless"));

    private final String series = "invoice-" + UUID.randomUUID();

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Invoices invoices(GaplessNumbers numbers) {
            return new Invoices(numbers);
        }
    }

    static class Invoices {
        private final GaplessNumbers numbers;

        Invoices(GaplessNumbers numbers) {
            this.numbers = numbers;
        }

        @Transactional
        public long bill(String series) {
            return numbers.next(series);
        }

        @Transactional
        public long billInVain(String series) {
            throw new IllegalStateException("number " + numbers.next(series));
        }

        @Transactional
        public void billAnd(String series, Runnable meanwhile) {
            numbers.next(series);
            meanwhile.run();
        }
    }

    @Test
    void aNumberComesBackIfTheTransactionRollsBack() {
        application.run(context -> {
            createTables(context.getBean(JdbcTemplate.class));
            var invoices = context.getBean(Invoices.class);
            assertThat(invoices.bill(series)).isEqualTo(1);
            assertThatThrownBy(() -> invoices.billInVain(series)).hasMessage("number 2");
            assertThat(invoices.bill(series)).isEqualTo(2);
            var numbers = context.getBean(GaplessNumbers.class);
            assertThatThrownBy(() -> numbers.next(series))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("@Transactional");
        });
    }

    /** Two data sources with a manager each; the first commits nothing by itself, as Hibernate's guide advises. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {
        @Bean
        @Primary
        DataSource shop(Environment environment) {
            HikariDataSource shop = dataSource(environment);
            shop.setAutoCommit(false);
            return shop;
        }

        @Bean
        HikariDataSource archive(Environment environment) {
            return dataSource(environment);
        }

        private static HikariDataSource dataSource(Environment environment) {
            var settings = Binder.get(environment).bind("spring.datasource", DataSourceProperties.class);
            return settings.get()
                    .initializeDataSourceBuilder()
                    .type(HikariDataSource.class)
                    .build();
        }

        @Bean
        @Primary
        PlatformTransactionManager shopTransactions(DataSource shop) {
            return new DataSourceTransactionManager(shop);
        }

        @Bean
        PlatformTransactionManager archiveTransactions(@Qualifier("archive") DataSource archive) {
            return new DataSourceTransactionManager(archive);
        }
    }

    @Test
    void aNumberIsNotTakenInTheTransactionOfAnotherDataSource() {
        new ApplicationContextRunner()
                .withUserConfiguration(TwoDataSources.class)
                .withConfiguration(AutoConfigurations.of(LeafmintGaplessAutoConfiguration.class))
                .withPropertyValues(TestDatabase.properties("leafmint_gapless"))
                .run(context -> {
                    var shop = new JdbcTemplate(context.getBean(DataSource.class));
                    createTables(new JdbcTemplate(context.getBean("archive", DataSource.class)));
                    var numbers = context.getBean(GaplessNumbers.class);
                    var own = transactions(context, "shopTransactions");
                    var others = transactions(context, "archiveTransactions");
                    assertThat(own.<Long>execute(status -> numbers.next(series)))
                            .isEqualTo(1);
                    for (int time = 0; time < 2; time++) {
                        assertThatThrownBy(() -> others.execute(status -> numbers.next(series)))
                                .isInstanceOf(InvalidArgumentException.class)
                                .hasMessageContaining("not of this data source");
                        assertThatThrownBy(() -> others.execute(status -> {
                                    // It binds the connection to the transaction, which is not its own.
                                    shop.execute("SELECT 1");
                                    return numbers.next(series);
                                }))
                                .isInstanceOf(InvalidArgumentException.class)
                                .hasMessageContaining("not of this data source");
                    }
                    assertThat(own.<Long>execute(status -> others.execute(inner -> numbers.next(series))))
                            .isEqualTo(2);
                    own.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
                    assertThatThrownBy(() -> own.execute(status -> numbers.next(series)))
                            .isInstanceOf(InvalidArgumentException.class);
                });
    }

    @Test
    void aTransactionOfJpaIsOneOfItsDataSource() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        HibernateJpaAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        LeafmintGaplessAutoConfiguration.class))
                .withPropertyValues(TestDatabase.properties("leafmint_gapless"))
                .run(context -> {
                    createTables(new JdbcTemplate(context.getBean(DataSource.class)));
                    var numbers = context.getBean(GaplessNumbers.class);
                    var transactions = transactions(context, "transactionManager");
                    assertThat(context.getBean("transactionManager")).isInstanceOf(JpaTransactionManager.class);
                    assertThat(transactions.<Long>execute(status -> {
                                status.setRollbackOnly();
                                return numbers.next(series);
                            }))
                            .isEqualTo(1);
                    assertThat(transactions.<Long>execute(status -> numbers.next(series)))
                            .isEqualTo(1);
                });
    }

    @Test
    void aTransactionThatOnlyReadsIsRefusedAlikeOnEachServer() {
        application.run(this::assertRefusesToRead);
        onPostgres(properties -> application.withPropertyValues(properties).run(this::assertRefusesToRead));
    }

    private void assertRefusesToRead(ApplicationContext context) {
        var transactions = transactions(context, "transactionManager");
        transactions.setReadOnly(true);
        var numbers = context.getBean(GaplessNumbers.class);
        assertThatThrownBy(() -> transactions.execute(status -> numbers.next(series)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void aServerThatOnlyReadsIsSpringsOwnExceptionOnEachServer() {
        application.run(context -> assertOnlyReads(context, "mysql", "START TRANSACTION READ ONLY"));
        onPostgres(properties -> application
                .withPropertyValues(properties)
                .run(context -> assertOnlyReads(context, "postgresql", "SET TRANSACTION READ ONLY")));
    }

    private void assertOnlyReads(ApplicationContext context, String dialect, String begin) {
        var database = context.getBean(JdbcTemplate.class);
        createTables(database, dialect);
        var numbers = context.getBean(GaplessNumbers.class);
        var transactions = transactions(context, "transactionManager");
        assertThatThrownBy(() -> transactions.execute(status -> {
                    database.execute(begin);
                    return numbers.next(series);
                }))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("begin a transaction that may write")
                .hasCauseInstanceOf(SQLException.class);
    }

    private static void onPostgres(Consumer<String[]> test) {
        var schema = new TestSchema();
        schema.create();
        test.accept(schema.dataSource());
        schema.drop();
    }

    private static TransactionTemplate transactions(ApplicationContext context, String manager) {
        return new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class));
    }

    @Test
    void aLockThatIsHeldTooLongIsSpringsOwnException() {
        application
                .withPropertyValues("spring.datasource.hikari.connection-init-sql=SET innodb_lock_wait_timeout = 1")
                .run(context -> {
                    var database = context.getBean(JdbcTemplate.class);
                    createTables(database);
                    var invoices = context.getBean(Invoices.class);
                    invoices.billAnd(series, () -> assertThatThrownBy(
                                    () -> CompletableFuture.supplyAsync(() -> invoices.bill(series))
                                            .get(20, TimeUnit.SECONDS))
                            .cause()
                            .isInstanceOf(CannotAcquireLockException.class)
                            .hasMessageContaining("repeat it as a whole")
                            .hasCauseInstanceOf(SQLException.class));
                });
    }

    @Test
    void aMissingTableIsNamed() {
        application
                .withPropertyValues(TestDatabase.properties("leafmint_gapless_without_tables"))
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Invoices.class).bill(series))
                        .isInstanceOf(InvalidConfigException.class)
                        .hasMessageContaining("leafmint_gapless"));
    }

    @Test
    void anApplicationWithoutSpringJdbcOrDataSourceHasNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintGaplessAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(GaplessNumbers.class));
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc"))
                .withConfiguration(AutoConfigurations.of(LeafmintGaplessAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void createTables(JdbcTemplate database) {
        createTables(database, "mysql");
    }

    private static void createTables(JdbcTemplate database, String dialect) {
        List.of(Leafmint.schemaSql(dialect).split(";\n")).forEach(database::execute);
    }
}
