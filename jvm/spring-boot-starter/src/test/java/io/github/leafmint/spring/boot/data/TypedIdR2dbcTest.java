package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.context.annotation.FilterType.ASSIGNABLE_TYPE;

import io.github.leafmint.spring.boot.data.TypedAggregates.CustomerId;
import io.github.leafmint.spring.boot.data.TypedAggregates.OrderId;
import io.github.leafmint.spring.boot.data.TypedAggregates.Row;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;

/** Repositories of Spring Data R2DBC whose entities have typed ids. Runs apart from the other tests: see the build. */
class TypedIdR2dbcTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.reactiveProperties())
            .withPropertyValues(TestDatabase.KEYS);

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    @EnableR2dbcRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = ASSIGNABLE_TYPE, classes = TypedIdR2dbcTest.Orders.class))
    static class Application {}

    interface Orders extends ReactiveCrudRepository<Row, OrderId> {
        Flux<Row> findBySellerIn(Collection<CustomerId> sellers);

        @Query("SELECT * FROM typed_orders WHERE seller = :seller ORDER BY id")
        Flux<Row> ofSeller(CustomerId seller);
    }

    @Test
    void entitiesAreSavedAndFoundByTypedIds() {
        application.run(context -> {
            var database = context.getBean(DatabaseClient.class);
            database.sql("DROP TABLE IF EXISTS typed_orders").then().block();
            database.sql(TypedAggregates.ORDERS).then().block();
            var orders = context.getBean(Orders.class);
            Row saved = orders.save(new Row(null, new CustomerId(8), null)).block();
            assertThat(saved).isEqualTo(new Row(new OrderId(1), new CustomerId(8), new OrderId(1)));
            assertThat(orders.findById(saved.id()).block()).isEqualTo(saved);
            Row own = orders.save(new Row(null, new CustomerId(9), new OrderId(70)))
                    .block();
            assertThat(own.ticket()).isEqualTo(new OrderId(70));
            Row empty = orders.save(new Row(null, null, null)).block();
            assertThat(orders.findById(empty.id()).block()).isEqualTo(empty);
            orders.delete(empty).block();
            queriesTakeTypedIds(orders, saved);
            orders.deleteById(saved.id()).block();
            assertThat(orders.existsById(saved.id()).block()).isFalse();
            assertThat(database.sql("SELECT id FROM typed_orders")
                            .mapValue(Long.class)
                            .all()
                            .collectList()
                            .block())
                    .containsExactly(2L);
        });
    }

    private static void queriesTakeTypedIds(Orders orders, Row saved) {
        assertThat(orders.findBySellerIn(List.of(new CustomerId(8), new CustomerId(10)))
                        .collectList()
                        .block())
                .containsExactly(saved);
        assertThat(orders.ofSeller(new CustomerId(8)).collectList().block()).containsExactly(saved);
        assertThat(orders.findAllById(List.of(saved.id())).collectList().block())
                .containsExactly(saved);
    }
}
