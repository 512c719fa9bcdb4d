package slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.springframework.data.relational.core.query.Criteria.where;
import static org.springframework.data.relational.core.query.Query.query;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.spring.boot.gapless.ReactiveGaplessNumbers;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.mapping.AggregateReference;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A slice configures one part of the application: what leafmint adds to that part must be there. Written beside the
 * test for Spring Boot 3.5, because each slice is another annotation there.
 */
class SlicesTest {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS lines (id BIGINT PRIMARY KEY, ticket BIGINT)";

    private static final String KEYS =
            "leafmint.id-keys=lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    @SpringBootApplication
    static class Shop {
        @RestController
        static class Orders {
            @GetMapping("/orders/{id}")
            OrderId order(@PathVariable("id") OrderId id) {
                return id;
            }
        }
    }

    @IdForm(prefix = "order")
    @SuppressWarnings("serial")
    static final class OrderId extends TypedId {
        public OrderId(long value) {
            super(value);
        }
    }

    @Entity
    static class Purchase {
        @jakarta.persistence.Id
        @SegmentId("purchase")
        OrderId id;

        @SegmentId("ticket")
        Long ticket;

        OrderId customer = new OrderId(7);
    }

    @Table("LINES") // H2 folds names to upper case
    record Line(
            @Id @SegmentId("line") OrderId id,
            @SegmentId("ticket") OrderId ticket) {}

    @Table("LINES")
    record Copy(@Id @SegmentId("line") OrderId id, AggregateReference<Line, OrderId> ticket) {}

    @Nested
    @DataJpaTest(properties = KEYS)
    class Jpa {
        @Test
        void anEntityGetsItsId(@Autowired EntityManager entities) {
            var purchase = new Purchase();
            entities.persist(purchase);
            entities.flush();
            entities.clear();
            assertEquals(new OrderId(1), purchase.id);
            Purchase found = entities.createQuery("FROM SlicesTest$Purchase p WHERE p.customer = :id", Purchase.class)
                    .setParameter("id", new OrderId(7))
                    .getSingleResult();
            assertEquals(purchase.id, found.id);
            assertEquals(purchase.ticket, found.ticket);
        }
    }

    @Nested
    @DataJdbcTest(properties = KEYS)
    class Jdbc {
        @Test
        void anAggregateGetsItsId(@Autowired JdbcAggregateTemplate lines, @Autowired JdbcTemplate database) {
            database.execute(TABLE);
            Line first = lines.save(new Line(null, null));
            assertEquals(
                    first.id().value() + 1,
                    lines.save(new Line(new OrderId(0), null)).id().value());
            assertEquals(first, lines.findById(first.id(), Line.class));
            Copy copy = lines.save(new Copy(null, AggregateReference.to(first.id())));
            assertEquals(copy, lines.findById(copy.id(), Copy.class));
        }
    }

    @Nested
    @DataR2dbcTest(properties = KEYS)
    class R2dbc {
        @Test
        void anEntityGetsItsId(@Autowired R2dbcEntityTemplate lines) {
            lines.getDatabaseClient().sql(TABLE).then().block();
            Line first = lines.insert(new Line(null, null)).block();
            Line second = lines.insert(new Line(new OrderId(0), null)).block();
            assertEquals(first.id().value() + 1, second.id().value());
            assertEquals(
                    first,
                    lines.selectOne(query(where("id").is(first.id())), Line.class)
                            .block());
        }

        @Test
        void numbersWithoutGapsAreThereAndH2IsRefused(
                @Autowired ReactiveGaplessNumbers numbers, @Autowired ReactiveTransactionManager manager) {
            GaplessSequence invoices = GaplessSequence.named("invoice")
                    .period(SeriesPeriod.FOREVER)
                    .build();
            Mono<SeriesNumber> number = TransactionalOperator.create(manager).transactional(numbers.next(invoices));
            var refused = assertThrows(InvalidArgumentException.class, number::block);
            assertTrue(refused.getMessage().contains("\"H2\""), refused::getMessage);
        }
    }

    @Nested
    @WebMvcTest(properties = KEYS)
    class Mvc {
        @Test
        void aTypedIdIsReadAndWritten(@Autowired MockMvc mvc, @Autowired TypedIds ids) throws Exception {
            String text = ids.text(new OrderId(42));
            mvc.perform(get("/orders/" + text))
                    .andExpect(status().isOk())
                    .andExpect(content().string('"' + text + '"'));
            mvc.perform(get("/orders/42")).andExpect(status().isBadRequest());
        }
    }

    @Nested
    @JsonTest(properties = KEYS)
    class Json {
        @Test
        void aTypedIdIsItsText(@Autowired JsonMapper mapper, @Autowired TypedIds ids) throws Exception {
            assertEquals('"' + ids.text(new OrderId(42)) + '"', mapper.writeValueAsString(new OrderId(42)));
        }
    }
}
