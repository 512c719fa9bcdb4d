package io.github.leafmint.spring.boot.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.core.handlers.MetaObjectHandler;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.reflection.MetaObject;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class MybatisPlusApplicationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_mybatis"));

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    @MapperScan(basePackageClasses = Note.class, annotationClass = Mapper.class)
    static class Application {}

    @Mapper
    interface TaggedMapper extends BaseMapper<Note.Tagged> {}

    @Mapper
    interface NumberedMapper extends BaseMapper<Note.Numbered> {}

    @Mapper
    interface NamedByTableMapper extends BaseMapper<Note.NamedByTable> {}

    @Mapper
    interface SnowflakedMapper extends BaseMapper<Note.Snowflaked> {}

    @Mapper
    interface QuotedMapper extends BaseMapper<Note.Quoted> {}

    @Mapper
    interface NarrowMapper extends BaseMapper<Note.Narrow> {}

    @Mapper
    interface PlainMapper extends BaseMapper<Note.Plain> {}

    /** Fills in the numbers of notes, as the page "Entities and rows" shows. */
    static class Numbers implements MetaObjectHandler {
        private final Series notes;

        Numbers(@Qualifier("note") Series notes) {
            this.notes = notes;
        }

        @Override
        public void insertFill(MetaObject row) {
            strictInsertFill(row, "number", () -> notes.next().text(), String.class);
        }

        @Override
        public void updateFill(MetaObject row) {}
    }

    private static void createTable(ApplicationContext context) {
        var database = context.getBean(JdbcTemplate.class);
        database.execute("DROP TABLE IF EXISTS notes");
        database.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, item VARCHAR(40), number VARCHAR(40))");
    }

    @Test
    void assignedIdsAreThoseOfTheAnnotationOrSnowflakes() {
        application.run(context -> {
            createTable(context);
            anAnnotationNamesTheTag(context);
            anAssignedIdIsKept(context);
            otherKeysAreSnowflakes(context);
            anIdThatDoesNotFitAnIntIsRefused(context);
            anIdOfNoEntityIsASnowflake(context);
        });
    }

    private static void anAnnotationNamesTheTag(ApplicationContext context) {
        var note = new Note.Tagged();
        context.getBean(TaggedMapper.class).insert(note);
        assertThat(note.id).isEqualTo(1);
        assertThat(context.getBean(TaggedMapper.class).selectById(1L)).isNotNull();

        context.getBean(SegmentGenerator.class).bizTag("notes").nextIds(50);
        var named = new Note.NamedByTable();
        context.getBean(NamedByTableMapper.class).insert(named);
        assertThat(named.id).isEqualTo("51");
        var quoted = new Note.Quoted();
        context.getBean(QuotedMapper.class).insert(quoted);
        assertThat(quoted.id).isEqualTo(52);
    }

    private static void anIdThatDoesNotFitAnIntIsRefused(ApplicationContext context) {
        assertThatThrownBy(() -> context.getBean(NarrowMapper.class).insert(new Note.Narrow()))
                .rootCause()
                .hasMessageContaining("does not fit an int");
    }

    private static void anIdOfNoEntityIsASnowflake(ApplicationContext context) {
        assertThat(context.getBean(IdentifierGenerator.class).nextId(null).longValue())
                .isGreaterThan(1L << 40);
    }

    private static void anAssignedIdIsKept(ApplicationContext context) {
        var note = new Note.Tagged();
        note.id = 7777L;
        context.getBean(TaggedMapper.class).insert(note);
        assertThat(note.id).isEqualTo(7777);
    }

    private static void otherKeysAreSnowflakes(ApplicationContext context) {
        var snowflaked = new Note.Snowflaked();
        context.getBean(SnowflakedMapper.class).insert(snowflaked);
        var plain = new Note.Plain();
        context.getBean(PlainMapper.class).insert(plain);
        assertThat(plain.id).isGreaterThan(snowflaked.id).isGreaterThan(1L << 40);
    }

    @Test
    void withoutASnowflakeGeneratorOtherKeysStayThoseOfMyBatisPlus() {
        application.withPropertyValues("leafmint.snowflake.enabled=false").run(context -> {
            createTable(context);
            var plain = new Note.Plain();
            context.getBean(PlainMapper.class).insert(plain);
            assertThat(plain.id).isGreaterThan(1L << 40);
            assertThatThrownBy(() -> context.getBean(SnowflakedMapper.class).insert(new Note.Snowflaked()))
                    .rootCause()
                    .hasMessageContaining("set leafmint.snowflake.enabled=true");
            anAnnotationNamesTheTag(context);
        });
    }

    @Test
    void aHandlerFillsInTheNumbersOfASeriesButKeepsAssignedOnes() {
        application
                .withUserConfiguration(Numbers.class)
                .withPropertyValues(
                        "leafmint.segment.series.note.period=year",
                        "leafmint.segment.series.note.zone=Europe/Madrid",
                        "leafmint.segment.series.note.format=N-{year}-{number:5}")
                .run(context -> {
                    createTable(context);
                    var note = new Note.Numbered();
                    context.getBean(NumberedMapper.class).insert(note);
                    assertThat(note.number).matches("N-\\d{4}-00001");
                    assertThat(context.getBean(NumberedMapper.class).selectById(note.id).number)
                            .isEqualTo(note.number);
                    var assigned = new Note.Numbered();
                    assigned.number = "N-1";
                    context.getBean(NumberedMapper.class).insert(assigned);
                    assertThat(assigned.number).isEqualTo("N-1");
                    context.getBean(TaggedMapper.class).insert(new Note.Tagged());
                });
    }
}
