package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.context.annotation.FilterType.ASSIGNABLE_TYPE;

import io.github.leafmint.spring.boot.data.TypedAggregates.CustomerId;
import io.github.leafmint.spring.boot.data.TypedAggregates.Order;
import io.github.leafmint.spring.boot.data.TypedAggregates.OrderId;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.mapping.AggregateReference;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;

/** Repositories of Spring Data JDBC whose aggregates have typed ids. */
class TypedIdJdbcTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_typed_jdbc"))
            .withPropertyValues(TestDatabase.KEYS);

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    @EntityScan(basePackageClasses = TypedAggregates.class)
    @EnableJdbcRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = ASSIGNABLE_TYPE, classes = TypedIdJdbcTest.Orders.class))
    static class Application {}

    interface Orders extends CrudRepository<Order, OrderId> {
        List<Order> findByCustomerAndSellerIn(
                AggregateReference<TypedAggregates.Customer, CustomerId> customer, Collection<CustomerId> sellers);

        @Query("SELECT id FROM typed_orders WHERE seller = :seller ORDER BY id")
        List<OrderId> idsOf(CustomerId seller);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConversions {
        @Bean
        JdbcCustomConversions conversions() {
            return new JdbcCustomConversions(List.of());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConversionsWithTypedIds {
        @Bean
        JdbcCustomConversions conversions() {
            return new JdbcCustomConversions(TypedIdConverters.all());
        }
    }

    private static Order order(OrderId id, OrderId ticket) {
        var customer = AggregateReference.<TypedAggregates.Customer, CustomerId>to(new CustomerId(7));
        return new Order(id, customer, new CustomerId(8), ticket, Set.of(new TypedAggregates.Gift(new CustomerId(9))));
    }

    private static void run(ApplicationContextRunner application) {
        application.run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS typed_orders");
            database.execute("DROP TABLE IF EXISTS typed_gifts");
            database.execute(TypedAggregates.ORDERS);
            database.execute(TypedAggregates.GIFTS);
            var orders = context.getBean(Orders.class);
            Order saved = orders.save(order(null, null));
            assertThat(saved).isEqualTo(order(new OrderId(1), new OrderId(1)));
            assertThat(orders.findById(saved.id())).contains(saved);
            assertThat(orders.save(order(null, new OrderId(70))).ticket()).isEqualTo(new OrderId(70));
            Order empty = orders.save(new Order(null, null, null, null, Set.of()));
            assertThat(orders.findById(empty.id())).contains(empty);
            orders.delete(empty);
            queriesTakeAndReturnTypedIds(orders, saved);
            orders.deleteById(saved.id());
            assertThat(orders.existsById(saved.id())).isFalse();
            assertThat(database.queryForList("SELECT id FROM typed_orders", Long.class))
                    .containsExactly(2L);
        });
    }

    private static void queriesTakeAndReturnTypedIds(Orders orders, Order saved) {
        var sellers = List.of(new CustomerId(8), new CustomerId(9));
        assertThat(orders.findByCustomerAndSellerIn(saved.customer(), sellers)).contains(saved);
        assertThat(orders.idsOf(new CustomerId(8))).containsExactly(new OrderId(1), new OrderId(2));
        assertThat(orders.findAllById(List.of(new OrderId(1), new OrderId(5)))).containsExactly(saved);
    }

    @Test
    void aggregatesAreSavedAndFoundByTypedIds() {
        run(application);
    }

    @Test
    void withoutKeysNoRowIsStoredWhoseIdNoAnswerCouldShow() {
        application.withPropertyValues("leafmint.id-keys=").run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS typed_orders");
            database.execute(TypedAggregates.ORDERS);
            assertThatThrownBy(() -> context.getBean(Orders.class).save(order(null, null)))
                    .hasStackTraceContaining("OrderId: ids of this form need keys, and none are configured")
                    .hasStackTraceContaining("leafmint.id-keys");
            assertThat(database.queryForList("SELECT id FROM typed_orders", Long.class))
                    .isEmpty();
        });
    }

    @Test
    void conversionsOfTheApplicationCanHaveTheConverters() {
        run(application.withUserConfiguration(OwnConversionsWithTypedIds.class));
    }

    @Test
    void conversionsWithoutTheConvertersKeepTheApplicationFromStarting() {
        application.withUserConfiguration(OwnConversions.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("add TypedIdConverters.all() to your custom conversions"));
    }
}
