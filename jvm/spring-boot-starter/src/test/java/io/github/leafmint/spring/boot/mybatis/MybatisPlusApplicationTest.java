package io.github.leafmint.spring.boot.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.core.handlers.MetaObjectHandler;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.Wrappers;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.util.List;
import java.util.function.Supplier;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.reflection.MetaObject;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class MybatisPlusApplicationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
            .withPropertyValues(TestDatabase.KEYS);

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

    @Mapper
    interface TypedMapper extends BaseMapper<Note.Typed> {
        @Select("SELECT id FROM notes WHERE author = #{value}")
        List<Note.Id> idsOf(Note.AuthorId author);
    }

    static class Authors implements MetaObjectHandler {
        @Override
        public void insertFill(MetaObject row) {
            strictInsertFill(row, "author", () -> "7", String.class);
        }

        @Override
        public void updateFill(MetaObject row) {}
    }

    private static void createTable(ApplicationContext context) {
        var database = context.getBean(JdbcTemplate.class);
        database.execute("DROP TABLE IF EXISTS notes");
        database.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, item VARCHAR(40), number VARCHAR(40),"
                + " ticket BIGINT, author BIGINT)");
    }

    @Test
    void assignedIdsAreThoseOfTheAnnotationOrSnowflakes() {
        application.run(context -> {
            createTable(context);
            anAnnotationNamesTheTag(context);
            anAssignedIdIsKept(context);
            zeroIsNoId(context);
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

        context.getBean(SegmentGenerator.class).tag("notes").nextIds(50);
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

    /** {@code {"id": 0}}: what a form that shows an example sends. */
    private static void zeroIsNoId(ApplicationContext context) {
        var notes = context.getBean(TaggedMapper.class);
        long rows = notes.selectCount(null);
        Supplier<Note.Tagged> zero = () -> {
            var note = new Note.Tagged();
            note.id = 0L;
            return note;
        };
        notes.insertOrUpdate(zero.get());
        notes.insertOrUpdate(zero.get());
        notes.insert(List.of(zero.get(), zero.get()));
        notes.insertOrUpdate(List.of(zero.get(), new Note.Tagged()));
        Note.Tagged known = zero.get();
        notes.insert(known);
        known.item = "mint";
        notes.insertOrUpdate(known);
        assertThat(notes.selectById(known.id).item).isEqualTo("mint");
        assertThat(notes.selectCount(null)).isEqualTo(rows + 7);
        assertThat(notes.selectById(0L)).isNull();
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
    void withoutAGeneratorOnlyWhatIsAnnotatedIsRefused() {
        application
                .withPropertyValues("leafmint.segment.enabled=false", "leafmint.snowflake.enabled=false")
                .run(context -> {
                    createTable(context);
                    var plain = new Note.Plain();
                    context.getBean(PlainMapper.class).insert(plain);
                    assertThat(plain.id).isGreaterThan(1L << 40);
                    assertThatThrownBy(() -> context.getBean(TaggedMapper.class).insert(new Note.Tagged()))
                            .rootCause()
                            .hasMessageContaining("leafmint.segment.enabled is false");
                });
    }

    /** An application's own generator of ids serves what is not annotated. */
    @Test
    void anAnnotationTakesPrecedenceOverAGeneratorOfTheApplication() {
        application.withBean(IdentifierGenerator.class, () -> entity -> 70L).run(context -> {
            createTable(context);
            var plain = new Note.Plain();
            context.getBean(PlainMapper.class).insert(plain);
            assertThat(plain.id).isEqualTo(70);
            anAnnotationNamesTheTag(context);
        });
    }

    @Test
    void fieldsThatAreNoKeysAreMintedAndKept() {
        application
                .withUserConfiguration(Authors.class)
                .withPropertyValues(
                        "leafmint.segment.series.note.period=year",
                        "leafmint.segment.series.note.zone=Europe/Madrid",
                        "leafmint.segment.series.note.format=N-{year}-{number:5}")
                .run(context -> {
                    createTable(context);
                    var notes = context.getBean(NumberedMapper.class);
                    var note = new Note.Numbered();
                    notes.insert(note);
                    assertThat(note.number).matches("N-\\d{4}-00001");
                    assertThat(note.ticket).isEqualTo(1);
                    assertThat(notes.selectById(note.id))
                            .returns(note.number, stored -> stored.number)
                            .returns(1L, stored -> stored.ticket)
                            .returns("7", stored -> stored.author);
                    var assigned = new Note.Numbered();
                    assigned.number = "N-1";
                    assigned.ticket = 70L;
                    notes.insert(assigned);
                    assertThat(notes.selectById(assigned.id))
                            .returns("N-1", stored -> stored.number)
                            .returns(70L, stored -> stored.ticket);
                });
    }

    private static Note.Typed typed(Note.Id id, Note.Id ticket) {
        var note = new Note.Typed();
        note.id = id;
        note.author = new Note.AuthorId(7);
        note.ticket = ticket;
        return note;
    }

    @Test
    void typedIdsAreMintedStoredAndFound() {
        application.run(context -> {
            createTable(context);
            var notes = context.getBean(TypedMapper.class);
            var author = new Note.AuthorId(7);
            // A parameter is the first typed id of its class that MyBatis sees.
            assertThat(notes.idsOf(author)).isEmpty();
            var note = typed(null, null);
            notes.insert(note);
            assertThat(note.id).isEqualTo(new Note.Id(1));
            assertThat(note.ticket.value()).isGreaterThan(1L << 40);
            Note.Typed found = notes.selectById(note.id);
            assertThat(found).returns(note.ticket, stored -> stored.ticket).returns(author, stored -> stored.author);
            notes.insert(typed(new Note.Id(70), new Note.Id(71)));
            assertThat(notes.selectById(new Note.Id(70)).ticket).isEqualTo(new Note.Id(71));
            assertThat(notes.idsOf(author)).containsExactly(note.id, new Note.Id(70));
            assertThat(notes.selectByIds(List.of(note.id, new Note.Id(70)))).hasSize(2);
            var ofAuthor = Wrappers.<Note.Typed>lambdaQuery()
                    .eq(Note.Typed::getAuthor, author)
                    .in(Note.Typed::getId, List.of(note.id));
            assertThat(notes.selectList(ofAuthor)).hasSize(1);
            note.author = new Note.AuthorId(8);
            assertThat(notes.updateById(note)).isEqualTo(1);
            assertThat(notes.deleteById(note.id)).isEqualTo(1);
            assertThat(context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM notes", Long.class))
                    .containsExactly(70L);
        });
    }
}
