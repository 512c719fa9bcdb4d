package slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.IdForm;
import io.github.leafmint.TypedId;
import io.github.leafmint.TypedIds;
import io.github.leafmint.persistence.LeafmintId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A slice configures one part of the application: what leafmint adds to that part must be there. */
class SlicesTest {
    private static final String MEMORY = "leafmint.segment.url=memory://slices";
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS lines (id BIGINT PRIMARY KEY, item VARCHAR(9))";

    private static final String KEYS =
            "leafmint.public-ids.keys=0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

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
        @LeafmintId("purchase")
        Long id;
    }

    @Table("LINES") // H2 folds names to upper case
    record Line(@Id @LeafmintId("line") Long id, String item) {}

    @Nested
    @DataJpaTest(properties = MEMORY)
    class Jpa {
        @Test
        void anEntityGetsItsId(@Autowired EntityManager entities) {
            var purchase = new Purchase();
            entities.persist(purchase);
            assertEquals(1, purchase.id);
        }
    }

    @Nested
    @DataJdbcTest(properties = MEMORY)
    class Jdbc {
        @Test
        void anAggregateGetsItsId(@Autowired JdbcAggregateTemplate lines, @Autowired JdbcTemplate database) {
            database.execute(TABLE);
            long first = lines.save(new Line(null, "tea")).id();
            assertEquals(first + 1, lines.save(new Line(null, "tea")).id());
        }
    }

    static class Note {
        @LeafmintId("note")
        Long id;
    }

    @Mapper
    interface Notes {
        @Insert("INSERT INTO lines (id) VALUES (#{id})")
        void insert(Note note);
    }

    @Nested
    @MybatisTest(properties = MEMORY)
    class Mybatis {
        @Test
        void aRowGetsItsId(@Autowired Notes notes, @Autowired JdbcTemplate database) {
            database.execute(TABLE);
            var note = new Note();
            notes.insert(note);
            assertEquals(1, note.id);
        }
    }

    @Nested
    @DataR2dbcTest(properties = MEMORY)
    class R2dbc {
        @Test
        void anEntityGetsItsId(@Autowired R2dbcEntityTemplate lines) {
            lines.getDatabaseClient().sql(TABLE).then().block();
            long first = lines.insert(new Line(null, "tea")).block().id();
            assertEquals(first + 1, lines.insert(new Line(null, "tea")).block().id());
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
        void aTypedIdIsItsText(@Autowired ObjectMapper mapper, @Autowired TypedIds ids) throws Exception {
            assertEquals('"' + ids.text(new OrderId(42)) + '"', mapper.writeValueAsString(new OrderId(42)));
        }
    }
}
