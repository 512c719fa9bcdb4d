package io.github.leafmint.spring.boot.gapless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.GaplessSequence;
import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Leafmint;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import io.github.leafmint.spring.boot.postgres.TestSchema;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.SqlSessionTemplate;
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
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
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

    private final GaplessSequence sequence = GaplessSequence.named("invoice-" + UUID.randomUUID())
            .period(SeriesPeriod.FOREVER)
            .build();

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
        public long bill(GaplessSequence sequence) {
            return numbers.next(sequence).number();
        }

        @Transactional
        public long billInVain(GaplessSequence sequence) {
            throw new IllegalStateException("number " + numbers.next(sequence).number());
        }

        @Transactional
        public void billAnd(GaplessSequence sequence, Runnable meanwhile) {
            numbers.next(sequence).number();
            meanwhile.run();
        }
    }

    @Test
    void aNumberComesBackIfTheTransactionRollsBack() {
        application.run(context -> {
            createTables(context.getBean(JdbcTemplate.class));
            var invoices = context.getBean(Invoices.class);
            assertThat(invoices.bill(sequence)).isEqualTo(1);
            assertThatThrownBy(() -> invoices.billInVain(sequence)).hasMessage("number 2");
            assertThat(invoices.bill(sequence)).isEqualTo(2);
            var numbers = context.getBean(GaplessNumbers.class);
            assertThatThrownBy(() -> numbers.next(sequence).number())
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("@Transactional");
        });
    }

    @Test
    void severalNumbersAndTheLastOne() {
        application.run(context -> {
            createTables(context.getBean(JdbcTemplate.class));
            GaplessSequence bills = GaplessSequence.named(sequence.name())
                    .period(SeriesPeriod.YEAR)
                    .zone(ZoneId.of("Europe/Madrid"))
                    .format(IdFormat.of("B-{year}-{number:3}"))
                    .build();
            LocalDate day = LocalDate.of(2026, 11, 29);
            var numbers = context.getBean(GaplessNumbers.class);
            var transactions = transactions(context, "transactionManager");
            assertThat(numbers.last(bills, day)).isEmpty();
            transactions.executeWithoutResult(status -> {
                assertThat(numbers.next(bills, day).text()).isEqualTo("B-2026-001");
                assertThat(numbers.nextMany(bills, 2, day))
                        .extracting(SeriesNumber::number)
                        .containsExactly(2L, 3L);
                assertThat(numbers.last(bills, day)).get().hasToString("SeriesNumber[" + bills.name() + "@2026 3]");
                assertThat(numbers.nextMany(bills, 3)).hasSize(3);
                assertThat(numbers.last(bills)).isPresent();
                status.setRollbackOnly();
            });
            transactions.setReadOnly(true);
            assertThat(transactions.<Boolean>execute(
                            status -> numbers.last(bills, day).isEmpty()))
                    .isTrue();
            assertThatThrownBy(() -> numbers.nextMany(bills, 2))
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
                    assertThat(own.<Long>execute(
                                    status -> numbers.next(sequence).number()))
                            .isEqualTo(1);
                    for (int time = 0; time < 2; time++) {
                        assertThatThrownBy(() -> others.execute(
                                        status -> numbers.next(sequence).number()))
                                .isInstanceOf(InvalidArgumentException.class)
                                .hasMessageContaining("not of this data source");
                        assertThatThrownBy(() -> others.execute(status -> {
                                    // It binds the connection to the transaction, which is not its own.
                                    shop.execute("SELECT 1");
                                    return numbers.next(sequence).number();
                                }))
                                .isInstanceOf(InvalidArgumentException.class)
                                .hasMessageContaining("not of this data source");
                    }
                    assertThat(own.<Long>execute(status -> others.execute(
                                    inner -> numbers.next(sequence).number())))
                            .isEqualTo(2);
                    own.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
                    assertThatThrownBy(() ->
                                    own.execute(status -> numbers.next(sequence).number()))
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
                                return numbers.next(sequence).number();
                            }))
                            .isEqualTo(1);
                    assertThat(transactions.<Long>execute(
                                    status -> numbers.next(sequence).number()))
                            .isEqualTo(1);
                });
    }

    interface Documents {
        @Insert("INSERT INTO gapless_documents VALUES (#{name}, #{number})")
        void insert(@Param("name") String name, @Param("number") long number);
    }

    @Test
    void documentsThatEightWritersStoreWithEachLibraryCountToN() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        HibernateJpaAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        LeafmintGaplessAutoConfiguration.class))
                .withPropertyValues(TestDatabase.properties("leafmint_gapless"))
                .run(context -> {
                    var database = context.getBean(JdbcTemplate.class);
                    createTables(database);
                    database.execute("CREATE TABLE IF NOT EXISTS gapless_documents (name varchar(99), number bigint)");
                    var entities = SharedEntityManagerCreator.createSharedEntityManager(
                            context.getBean(EntityManagerFactory.class));
                    Documents mapper = mapper(database.getDataSource());
                    List<BiConsumer<String, Long>> libraries = List.of(
                            (name, number) ->
                                    database.update("INSERT INTO gapless_documents VALUES (?, ?)", name, number),
                            (name, number) -> entities.createNativeQuery("INSERT INTO gapless_documents VALUES (?, ?)")
                                    .setParameter(1, name)
                                    .setParameter(2, number)
                                    .executeUpdate(),
                            mapper::insert);
                    var numbers = context.getBean(GaplessNumbers.class);
                    var transactions = transactions(context, "transactionManager");
                    inThreads(
                            8,
                            turn -> transactions.executeWithoutResult(status -> {
                                libraries
                                        .get(turn % libraries.size())
                                        .accept(
                                                sequence.name(),
                                                numbers.next(sequence).number());
                                if (turn % 4 == 0) {
                                    status.setRollbackOnly();
                                }
                            }));
                    List<Long> stored = database.queryForList(
                            "SELECT number FROM gapless_documents WHERE name = ? ORDER BY number",
                            Long.class,
                            sequence.name());
                    assertThat(stored)
                            .hasSizeGreaterThan(50)
                            .isEqualTo(LongStream.rangeClosed(1, stored.size())
                                    .boxed()
                                    .toList());
                });
    }

    private static Documents mapper(DataSource dataSource) throws Exception {
        var factory = new SqlSessionFactoryBean();
        factory.setDataSource(dataSource);
        SqlSessionFactory sessions = factory.getObject();
        sessions.getConfiguration().addMapper(Documents.class);
        return new SqlSessionTemplate(sessions).getMapper(Documents.class);
    }

    private static void inThreads(int count, IntConsumer work) {
        List<CompletableFuture<Void>> threads = IntStream.range(0, count)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            for (int turn = 1; turn <= 12; ) {
                                try {
                                    work.accept(turn);
                                    turn++;
                                } catch (ConcurrencyFailureException again) {
                                    // The transaction has rolled back as a whole.
                                }
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new))
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
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
        assertThatThrownBy(() ->
                        transactions.execute(status -> numbers.next(sequence).number()))
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
                    return numbers.next(sequence).number();
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
                    invoices.billAnd(sequence, () -> assertThatThrownBy(
                                    () -> CompletableFuture.supplyAsync(() -> invoices.bill(sequence))
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
                                () -> context.getBean(Invoices.class).bill(sequence))
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
