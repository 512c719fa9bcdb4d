package io.github.leafmint.spring.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;

/** Applications whose data source is a PostgreSQL: ids are leased there, and no URL of leafmint is set. */
class PostgresApplicationTest {
    private final TestSchema schema = new TestSchema();

    @BeforeEach
    void createSchema() {
        schema.create();
    }

    @AfterEach
    void dropSchema() {
        schema.drop();
    }

    @EnableAutoConfiguration(exclude = JpaRepositoriesAutoConfiguration.class)
    @EntityScan(basePackageClasses = PgOrder.class)
    @MapperScan(basePackageClasses = PgNote.class, annotationClass = Mapper.class)
    static class Application {}

    @Entity(name = "pg_orders")
    static class PgOrder {
        @jakarta.persistence.Id
        @SegmentId("pg_order")
        @Nullable
        Long id;

        @Nullable
        PgLineId line;
    }

    @IdForm(prefix = "line")
    static final class PgLineId extends TypedId {
        private static final long serialVersionUID = 1L;

        public PgLineId(long value) {
            super(value);
        }
    }

    @Table("pg_lines")
    record PgLine(
            @Id @SegmentId("pg_line") @Nullable PgLineId id,
            @Nullable PgLineId parent,
            String item) {}

    @TableName("pg_notes")
    static class PgNote {
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId("pg_note")
        @Nullable
        Long id;

        @Nullable
        PgLineId line;

        @Nullable
        String item;

        public @Nullable Long getId() {
            return id;
        }

        public @Nullable PgLineId getLine() {
            return line;
        }

        public void setLine(PgLineId line) {
            this.line = line;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    @Mapper
    interface PgNoteMapper extends BaseMapper<PgNote> {
        @Insert("INSERT INTO pg_counted (id, item) VALUES (#{id}, #{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void insertCounted(PgNote note);

        @Select("INSERT INTO pg_counted (id, item) VALUES (#{id}, #{item}) RETURNING id")
        Long insertReturning(PgNote note);
    }

    @Test
    void rowsOfEachFrameworkGetIdsThatAreLeasedInTheirDatabase() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues(schema.dataSource())
                .withPropertyValues(
                        TestDatabase.KEYS,
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.auto-create=true",
                        "spring.jpa.hibernate.ddl-auto=update")
                .run(context -> {
                    var database = context.getBean(JdbcTemplate.class);
                    database.execute("CREATE TABLE pg_lines (id bigint PRIMARY KEY, parent bigint, item text)");
                    database.execute("CREATE TABLE pg_notes (id bigint PRIMARY KEY, line bigint, item text)");
                    assertThat(savedByHibernate(context)).isEqualTo(1);
                    assertThat(savedByHibernate(context)).isEqualTo(2);
                    var lines = context.getBean(JdbcAggregateTemplate.class);
                    PgLine root = lines.save(new PgLine(null, null, "tea"));
                    assertThat(root.id()).isEqualTo(new PgLineId(1));
                    PgLine leaf = lines.save(new PgLine(null, root.id(), "tea"));
                    assertThat(lines.findAll(PgLine.class)).containsExactlyInAnyOrder(root, leaf);
                    var note = new PgNote();
                    context.getBean(PgNoteMapper.class).insert(note);
                    assertThat(note.id).isEqualTo(1);
                    note.line = leaf.id();
                    context.getBean(PgNoteMapper.class).updateById(note);
                    assertThat(context.getBean(PgNoteMapper.class).selectById(1).line)
                            .isEqualTo(leaf.id());
                    aTableThatCountsDoesNotChangeTheIdsOfObjects(context, database);
                    var tags = "SELECT biz_tag FROM leaf_alloc WHERE max_id > 1 ORDER BY biz_tag";
                    assertThat(database.queryForList(tags, String.class))
                            .containsExactly("pg_line", "pg_note", "pg_order");
                });
    }

    private static void aTableThatCountsDoesNotChangeTheIdsOfObjects(
            ApplicationContext context, JdbcTemplate database) {
        database.execute("CREATE TABLE pg_counted (created text DEFAULT 'now', id bigserial PRIMARY KEY, item text)");
        var notes = context.getBean(PgNoteMapper.class);
        var note = new PgNote();
        note.id = 0L;
        notes.insertCounted(note);
        assertThat(notes.insertReturning(new PgNote())).isEqualTo(note.id + 1);
        assertThat(database.queryForList("SELECT id FROM pg_counted ORDER BY id", Long.class))
                .containsExactly(note.id, note.id + 1);
        assertThat(note.id).isEqualTo(2);
    }

    private static @Nullable Long savedByHibernate(ApplicationContext context) {
        var order = new PgOrder();
        try (var entities = context.getBean(EntityManagerFactory.class).createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(order);
            entities.getTransaction().commit();
        }
        return order.id;
    }

    /** As a Docker Compose file or a container of a test gives them. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class})
    static class OfContainer {
        static TestSchema schema = new TestSchema();

        @Bean
        JdbcConnectionDetails details() {
            return new JdbcConnectionDetails() {
                @Override
                public String getUsername() {
                    return schema.user();
                }

                @Override
                public String getPassword() {
                    return schema.password();
                }

                @Override
                public String getJdbcUrl() {
                    return schema.url();
                }
            };
        }
    }

    @Test
    void connectionDetailsThatAreABeanAreUsed() {
        OfContainer.schema = schema;
        new ApplicationContextRunner()
                .withUserConfiguration(OfContainer.class)
                .withPropertyValues("leafmint.segment.init-schema=true", "leafmint.segment.tags.order.create=true")
                .run(context -> {
                    var ids = context.getBean(SegmentGenerator.class);
                    assertThat(ids.tag("order").nextId()).isEqualTo(1);
                    assertThat(ids.scope()).contains("postgresql").contains(schema.name());
                });
    }
}
