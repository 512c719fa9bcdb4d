package io.github.leafmint.spring.boot.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with JPA repositories. A context takes seconds, so one test sees all that happens in one. */
class HibernateApplicationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_jpa"))
            .withPropertyValues(
                    "leafmint.segment.series.order-number.period=forever",
                    "leafmint.segment.series.order-number.format=O-{number:6}",
                    "spring.jpa.hibernate.ddl-auto=create-drop",
                    "spring.jpa.properties.hibernate.generate_statistics=true",
                    "spring.jpa.properties.hibernate.jdbc.batch_size=50");

    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = Order.class)
    @EnableJpaRepositories(basePackageClasses = Order.class)
    static class Application {}

    @Test
    void entitiesGetTheirIdsFromTheBeans() {
        application.run(context -> {
            var orders = context.getBean(OrderRepository.class);
            var statistics = statistics(context);
            aSavedEntityGetsItsIdWithoutASelect(orders, statistics);
            manyEntitiesAreInsertedInBatches(orders, statistics);
            queriesTakeTypedIds(orders);
            anAssignedIdIsKept(orders);
            zeroIsNoId(orders);
            aSnowflakeIsMintedToo(context);
            assertThat(context.getBean(SegmentGenerator.class)
                            .tag("order")
                            .stats()
                            .issued())
                    .isEqualTo(204);
        });
    }

    private static void aSavedEntityGetsItsIdWithoutASelect(OrderRepository orders, Statistics statistics) {
        statistics.clear();
        assertThat(orders.save(new Order()).id).isEqualTo(1);
        assertThat(orders.save(new Order()).id).isEqualTo(2);
        assertThat(statistics.getPrepareStatementCount()).isEqualTo(2);
        assertThat(orders.findById(2L)).get().returns("O-000002", order -> order.number);
    }

    private static void manyEntitiesAreInsertedInBatches(OrderRepository orders, Statistics statistics) {
        statistics.clear();
        List<Order> saved =
                orders.saveAll(Stream.generate(Order::new).limit(200).toList());
        assertThat(saved).extracting(order -> order.id).doesNotHaveDuplicates().doesNotContainNull();
        assertThat(statistics.getPrepareStatementCount()).isLessThanOrEqualTo(4);
    }

    private static void queriesTakeTypedIds(OrderRepository orders) {
        var customer = new Order.CustomerId(7);
        assertThat(orders.findByCustomerAndTicketNotNull(customer)).hasSize(202);
        assertThat(orders.present(Set.of(customer, new Order.CustomerId(8))))
                .extracting(OrderRepository.OfCustomer::getCustomer)
                .containsExactly(customer);
    }

    private static void anAssignedIdIsKept(OrderRepository orders) {
        var order = new Order();
        order.id = 7777L;
        assertThat(orders.save(order).id).isEqualTo(7777);
        assertThat(orders.findById(7777L)).isPresent();
    }

    /** {@code {"id": 0}}: what a form that shows an example sends. */
    private static void zeroIsNoId(OrderRepository orders) {
        long rows = orders.count();
        for (int request = 0; request < 2; request++) {
            var order = new Order();
            order.id = 0L;
            assertThat(orders.save(order).id).isPositive();
        }
        assertThat(orders.count()).isEqualTo(rows + 2);
        assertThat(orders.findById(0L)).isEmpty();
    }

    private static void aSnowflakeIsMintedToo(ApplicationContext context) {
        var payment = new Payment();
        var entities = context.getBean(EntityManager.class);
        context.getBean(TransactionTemplate.class).executeWithoutResult(status -> entities.persist(payment));
        assertThat(payment.id).isGreaterThan(1L << 40);
    }

    private static Statistics statistics(ApplicationContext context) {
        return context.getBean(EntityManagerFactory.class)
                .unwrap(SessionFactory.class)
                .getStatistics();
    }

    @Test
    void scriptsThatRunAfterHibernateMayDoSo() {
        application
                .withPropertyValues(
                        "spring.jpa.defer-datasource-initialization=true",
                        "spring.sql.init.mode=always",
                        "leafmint.snowflake.enabled=false")
                .run(context -> {
                    assertThat(context.getBean(OrderRepository.class).save(new Order()).id)
                            .isEqualTo(1);
                    anEntityWithoutItsGeneratorSaysWhatToSet(context);
                });
    }

    private static void anEntityWithoutItsGeneratorSaysWhatToSet(ApplicationContext context) {
        assertThatThrownBy(() -> aSnowflakeIsMintedToo(context))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("set leafmint.snowflake.enabled=true or leafmint.snowflake.url");
    }
}
