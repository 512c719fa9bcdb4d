package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.persistence.SegmentId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureTestDatabase;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Ids come from where the rows of a test go: from its embedded database, and none from the application's. */
class SlicesTest {
    private static final FreshDatabase REAL = new FreshDatabase();

    @AfterAll
    static void drop() {
        REAL.close();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {}

    @Entity
    static class Parcel {
        @jakarta.persistence.Id
        @SegmentId("parcel")
        @Nullable
        Long id;
    }

    @Table("PARTS")
    record Part(@Id @SegmentId("part") @Nullable Long id, String item) {}

    /** What application.yaml has: the server that the application uses. */
    static class RealServer implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            TestPropertyValues.of(REAL.dataSource("spring.datasource")).applyTo(context);
        }
    }

    @Nested
    @DataJpaTest
    @ContextConfiguration(classes = Shop.class, initializers = RealServer.class)
    class Jpa {
        @Test
        void anEntityGetsAnIdOfTheEmbeddedDatabase(@Autowired EntityManager entities, @Autowired JdbcTemplate rows) {
            var parcel = new Parcel();
            entities.persist(parcel);
            entities.flush();
            assertThat(parcel.id).isEqualTo(1);
            assertThat(rows.queryForList("SELECT biz_tag FROM leaf_alloc", String.class))
                    .contains("parcel");
            assertThat(REAL.tables()).isEmpty();
        }
    }

    @Nested
    @DataJdbcTest
    @ContextConfiguration(classes = Shop.class, initializers = RealServer.class)
    class Jdbc {
        @Test
        void anAggregateGetsAnIdOfTheEmbeddedDatabase(
                @Autowired JdbcAggregateTemplate parts, @Autowired JdbcTemplate rows) {
            rows.execute("CREATE TABLE parts (id BIGINT PRIMARY KEY, item VARCHAR(20))");
            assertThat(parts.save(new Part(null, "wheel")).id()).isEqualTo(1);
            assertThat(rows.queryForList("SELECT biz_tag FROM leaf_alloc", String.class))
                    .contains("part");
            assertThat(REAL.tables()).isEmpty();
        }
    }

    @Nested
    @DataJdbcTest(properties = {"leafmint.segment.init-schema=true", "leafmint.segment.auto-create=true"})
    @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
    @ContextConfiguration(classes = Shop.class)
    class NotReplaced {
        private static final FreshDatabase OWN = new FreshDatabase();

        @AfterAll
        static void drop() {
            OWN.close();
        }

        @DynamicPropertySource
        static void dataSource(DynamicPropertyRegistry properties) {
            properties.add("spring.datasource.url", OWN::url);
            properties.add("spring.datasource.username", OWN::name);
            properties.add("spring.datasource.password", () -> "s3cret");
        }

        @Test
        void anAggregateGetsAnIdOfTheDatabaseThatTheTestNames(
                @Autowired JdbcAggregateTemplate parts, @Autowired JdbcTemplate rows) {
            rows.execute("CREATE TABLE PARTS (id BIGINT PRIMARY KEY, item VARCHAR(20))");
            assertThat(parts.save(new Part(null, "wheel")).id()).isEqualTo(1);
            assertThat(OWN.read("SELECT biz_tag FROM " + OWN.name() + ".leaf_alloc"))
                    .contains("part");
        }
    }

    /** Another context with a database of its own, of the same name. */
    @Nested
    @SpringBootTest(
            classes = Shop.class,
            properties = {"leafmint.snowflake.enabled=true", "an.other=context"})
    @AutoConfigureTestDatabase
    class Another {
        @Test
        void itsWorkerIdIsTakenToo(@Autowired SnowflakeGenerator flakes) {
            assertThat(flakes.nextId()).isPositive();
        }
    }

    /** As Spring Boot configures it if nothing names a database. */
    @Nested
    @SpringBootTest(classes = Shop.class)
    class OfSpringBoot {
        @Test
        void idsComeFromTheDefaultEmbeddedDatabase(@Autowired SegmentGenerator ids, @Autowired JdbcTemplate rows) {
            assertThat(ids.tag("order").nextId()).isEqualTo(1);
            assertThat(rows.queryForList("SELECT biz_tag FROM leaf_alloc", String.class))
                    .contains("order");
        }
    }

    @Nested
    @SpringBootTest(classes = Shop.class, properties = "leafmint.snowflake.enabled=true")
    @AutoConfigureTestDatabase
    class WholeApplication {
        @Test
        void aSnowflakeHasAWorkerIdOfTheEmbeddedDatabase(
                @Autowired SnowflakeGenerator flakes, @Autowired JdbcTemplate rows) {
            assertThat(flakes.nextId()).isPositive();
            assertThat(rows.queryForObject("SELECT count(*) FROM leafmint_worker", Integer.class))
                    .isPositive();
        }

        @Test
        void anEntityGetsAnIdOfTheEmbeddedDatabase(
                @Autowired JdbcAggregateTemplate parts, @Autowired JdbcTemplate rows) {
            rows.execute("CREATE TABLE parts (id BIGINT PRIMARY KEY, item VARCHAR(20))");
            assertThat(parts.save(new Part(null, "wheel")).id()).isEqualTo(1);
            assertThat(rows.queryForList("SELECT biz_tag FROM leaf_alloc", String.class))
                    .contains("part");
        }
    }
}
