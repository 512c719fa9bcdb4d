package io.github.leafmint.spring.boot.gapless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Leafmint;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

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
        List.of(Leafmint.schemaSql("mysql").split(";\n")).forEach(database::execute);
    }
}
