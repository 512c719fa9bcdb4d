package io.github.leafmint.spring.boot.gapless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Leafmint;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import io.github.leafmint.spring.boot.postgres.TestSchema;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration;
import org.springframework.boot.autoconfigure.r2dbc.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Runs apart from the other tests: see the build. */
class ReactiveGaplessNumbersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withConfiguration(AutoConfigurations.of(
                    R2dbcAutoConfiguration.class,
                    R2dbcTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeafmintReactiveGaplessAutoConfiguration.class))
            .withPropertyValues(TestDatabase.reactiveProperties());

    private final GaplessSequence sequence = GaplessSequence.named("invoice-" + UUID.randomUUID())
            .period(SeriesPeriod.FOREVER)
            .build();

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Invoices invoices(ReactiveGaplessNumbers numbers) {
            return new Invoices(numbers);
        }
    }

    static class Invoices {
        private final ReactiveGaplessNumbers numbers;

        Invoices(ReactiveGaplessNumbers numbers) {
            this.numbers = numbers;
        }

        @Transactional
        public Mono<Long> bill(GaplessSequence sequence) {
            return numbers.next(sequence).map(SeriesNumber::number);
        }

        @Transactional
        public Mono<Long> billInVain(GaplessSequence sequence) {
            return bill(sequence).map(number -> {
                throw new IllegalStateException("number " + number);
            });
        }

        @Transactional
        public Mono<Void> billAnd(GaplessSequence sequence, Mono<?> meanwhile) {
            return bill(sequence).then(meanwhile).then();
        }
    }

    @Test
    void aNumberComesBackIfTheTransactionRollsBack() {
        application.run(this::assertNumbersComeBack);
        onPostgres(this::assertNumbersComeBack);
    }

    private void assertNumbersComeBack(ApplicationContext context) {
        createTables(context);
        var invoices = context.getBean(Invoices.class);
        assertThat(invoices.bill(sequence).block(PATIENCE)).isEqualTo(1);
        assertThatThrownBy(() -> invoices.billInVain(sequence).block(PATIENCE)).hasMessage("number 2");
        assertThat(invoices.bill(sequence).block(PATIENCE)).isEqualTo(2);
        var numbers = context.getBean(ReactiveGaplessNumbers.class);
        assertThatThrownBy(() -> numbers.next(sequence).block(PATIENCE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void writersOfAnApplicationCountToN() {
        application.withPropertyValues("spring.r2dbc.pool.enabled=true").run(context -> {
            createTables(context);
            var invoices = context.getBean(Invoices.class);
            assertThat(invoices.bill(sequence).block(PATIENCE)).isEqualTo(1);
            var numbers = Flux.range(0, 40)
                    .flatMap(time -> time % 3 == 0
                            ? invoices.billInVain(sequence)
                                    .onErrorResume(IllegalStateException.class, e -> Mono.empty())
                            : invoices.bill(sequence))
                    .collectSortedList()
                    .block(PATIENCE);
            assertThat(numbers).startsWith(2L).endsWith(1L + numbers.size()).doesNotHaveDuplicates();
        });
    }

    @Test
    void severalNumbersAndTheLastOne() {
        application
                .withPropertyValues("spring.r2dbc.pool.initial-size=1", "spring.r2dbc.pool.max-size=1")
                .run(context -> {
                    createTables(context);
                    GaplessSequence bills = GaplessSequence.named(sequence.name())
                            .period(SeriesPeriod.YEAR)
                            .zone(ZoneId.of("Europe/Madrid"))
                            .format(IdFormat.of("B-{year}-{number:3}"))
                            .build();
                    LocalDate day = LocalDate.of(2026, 11, 29);
                    var numbers = context.getBean(ReactiveGaplessNumbers.class);
                    var transactions = TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
                    assertThat(numbers.last(bills, day).block(PATIENCE)).isNull();
                    assertThat(transactions
                                    .transactional(numbers.next(bills, day)
                                            .then(numbers.nextMany(bills, 2, day))
                                            .zipWhen(many -> numbers.last(bills, day)))
                                    .map(both -> both.getT1().get(0).text() + " "
                                            + both.getT2().text())
                                    .block(PATIENCE))
                            .isEqualTo("B-2026-002 B-2026-003");
                    // More often than the pool has connections.
                    for (int time = 0; time < 3; time++) {
                        assertThat(numbers.last(bills, day).block(PATIENCE).number())
                                .isEqualTo(3);
                    }
                    assertRefused(numbers.nextMany(bills, 2), "@Transactional");
                    assertThat(transactions
                                    .transactional(numbers.nextMany(bills, 3))
                                    .block(PATIENCE))
                            .hasSize(3);
                    assertThat(numbers.last(bills).block(PATIENCE)).isNotNull();
                });
    }

    /** Two connection factories with a manager each. */
    @Configuration(proxyBeanMethods = false)
    static class TwoFactories {
        @Bean
        @Primary
        ConnectionFactory shop(Environment environment) {
            return connections(environment);
        }

        @Bean
        ConnectionFactory archive(Environment environment) {
            return connections(environment);
        }

        private static ConnectionFactory connections(Environment environment) {
            String url = environment.getRequiredProperty("spring.r2dbc.url");
            String account = environment.getProperty("spring.r2dbc.username") + ":"
                    + environment.getProperty("spring.r2dbc.password");
            return ConnectionFactories.get(url.replace("://", "://" + account + "@"));
        }

        @Bean
        @Primary
        ReactiveTransactionManager shopTransactions(ConnectionFactory shop) {
            return new R2dbcTransactionManager(shop);
        }
    }

    @Test
    void aNumberIsNotTakenInTheTransactionOfAnotherFactory() {
        new ApplicationContextRunner()
                .withUserConfiguration(TwoFactories.class)
                .withConfiguration(AutoConfigurations.of(LeafmintReactiveGaplessAutoConfiguration.class))
                .withPropertyValues(TestDatabase.reactiveProperties())
                .run(context -> {
                    createTables(context);
                    var numbers = context.getBean(ReactiveGaplessNumbers.class);
                    var shop = context.getBean("shop", ConnectionFactory.class);
                    var archive = context.getBean("archive", ConnectionFactory.class);
                    var own = TransactionalOperator.create(new R2dbcTransactionManager(shop));
                    var others = TransactionalOperator.create(new R2dbcTransactionManager(archive));
                    assertThat(number(own.transactional(numbers.next(sequence))))
                            .isEqualTo(1);
                    assertRefused(others.transactional(numbers.next(sequence)), "not of this connection factory");
                    // It binds a connection to the transaction, which is not its own.
                    Mono<Long> bound =
                            DatabaseClient.create(shop).sql("DO 1").fetch().rowsUpdated();
                    assertRefused(
                            others.transactional(bound.then(numbers.next(sequence))), "not of this connection factory");
                    assertThat(number(own.transactional(others.transactional(numbers.next(sequence)))))
                            .isEqualTo(2);
                });
    }

    private static void assertRefused(Mono<?> number, String why) {
        assertThatThrownBy(() -> number.block(PATIENCE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(why);
    }

    private static long number(Mono<SeriesNumber> number) {
        return number.block(PATIENCE).number();
    }

    @Test
    void aTransactionThatOnlyReadsIsRefused() {
        application.run(context -> {
            var reading = new DefaultTransactionDefinition();
            reading.setReadOnly(true);
            var transactions = TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class), reading);
            var numbers = context.getBean(ReactiveGaplessNumbers.class);
            assertRefused(transactions.transactional(numbers.next(sequence)), "read-only");
        });
    }

    @Test
    void aLockThatIsHeldTooLongIsSpringsOwnException() {
        application.run(context -> assertFailsWhileLocked(context, "SET innodb_lock_wait_timeout = 1"));
        onPostgres(context -> assertFailsWhileLocked(context, "SET LOCAL lock_timeout = '300ms'"));
    }

    private void assertFailsWhileLocked(ApplicationContext context, String timeout) {
        createTables(context);
        var invoices = context.getBean(Invoices.class);
        var numbers = context.getBean(ReactiveGaplessNumbers.class);
        var transactions = TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
        Mono<SeriesNumber> impatient =
                transactions.transactional(execute(context, timeout).then(numbers.next(sequence)));
        // A transaction of its own: the context of the outer one is not passed on.
        Mono<?> meanwhile = Mono.fromRunnable(() -> assertThatThrownBy(() -> impatient.block(PATIENCE))
                        .isInstanceOf(CannotAcquireLockException.class)
                        .hasMessageContaining("repeat it as a whole")
                        .hasCauseInstanceOf(R2dbcException.class))
                .subscribeOn(Schedulers.boundedElastic());
        invoices.billAnd(sequence, meanwhile).block(PATIENCE);
        assertThat(invoices.bill(sequence).block(PATIENCE)).isEqualTo(2);
    }

    @Test
    void aServerThatOnlyReadsIsSpringsOwnException() {
        onPostgres(context -> {
            createTables(context);
            var numbers = context.getBean(ReactiveGaplessNumbers.class);
            var transactions = TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
            assertThatThrownBy(() -> transactions
                            .transactional(execute(context, "SET TRANSACTION READ ONLY")
                                    .then(numbers.next(sequence)))
                            .block(PATIENCE))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("begin a transaction that may write");
        });
    }

    @Test
    void aMissingTableIsNamed() {
        onPostgres(context -> assertThatThrownBy(
                        () -> context.getBean(Invoices.class).bill(sequence).block(PATIENCE))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("leafmint_gapless"));
    }

    @Test
    void anApplicationWithoutR2dbcOrAFactoryHasNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintReactiveGaplessAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveGaplessNumbers.class));
        for (String absent : new String[] {"org.springframework.r2dbc", "io.r2dbc"}) {
            new ApplicationContextRunner()
                    .withClassLoader(new FilteredClassLoader(absent))
                    .withConfiguration(AutoConfigurations.of(LeafmintReactiveGaplessAutoConfiguration.class))
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    private void onPostgres(Consumer<ApplicationContext> test) {
        var schema = new TestSchema();
        schema.create();
        application.withPropertyValues(schema.connectionFactory()).run(test::accept);
        schema.drop();
    }

    private static Mono<Void> execute(ApplicationContext context, String sql) {
        return DatabaseClient.create(context.getBean(ConnectionFactory.class))
                .sql(sql)
                .then();
    }

    private static void createTables(ApplicationContext context) {
        String product = context.getBean(ConnectionFactory.class).getMetadata().getName();
        String dialect = product.equals("PostgreSQL") ? "postgresql" : "mysql";
        for (String statement : Leafmint.schemaSql(dialect).split(";\n")) {
            execute(context, statement).block(PATIENCE);
        }
    }
}
