package io.github.leafmint.spring.boot.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.LeafmintTypedIdsAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.JdbcTemplate;

class MybatisApplicationTest {
    private static final String XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "http://mybatis.org/dtd/mybatis-3-mapper.dtd">
            <mapper namespace="%s">
              <insert id="insertByXml">INSERT INTO notes (id, item) VALUES (#{id}, #{item})</insert>
              <insert id="insertAll">
                INSERT INTO notes (id, item) VALUES
                <foreach collection="notes" item="note" separator=",">(#{note.id}, #{note.item})</foreach>
              </insert>
              <resultMap id="typed" type="%s">
                <id property="id" column="id"/>
                <result property="ticket" column="ticket"/>
              </resultMap>
              <select id="findTyped" resultMap="typed">SELECT id, ticket FROM notes WHERE id = #{id}</select>
            </mapper>
            """.formatted(Notes.class.getName(), Typed.class.getName());

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withClassLoader(new FilteredClassLoader("com.baomidou"))
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    LeafmintAutoConfiguration.class,
                    LeafmintTypedIdsAutoConfiguration.class,
                    LeafmintPersistenceAutoConfiguration.class,
                    LeafmintMybatisAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
            .withPropertyValues(
                    TestDatabase.KEYS,
                    "leafmint.segment.series.note-number.period=forever",
                    "leafmint.segment.series.note-number.format=N-{number:3}");

    @MapperScan(basePackageClasses = Notes.class, annotationClass = PlainMapper.class)
    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        SqlSessionFactory sqlSessionFactory(DataSource database) throws Exception {
            var factory = new SqlSessionFactoryBean();
            factory.setDataSource(database);
            var configuration = new org.apache.ibatis.session.Configuration();
            MybatisTypedIds.addTo(configuration);
            factory.setConfiguration(configuration);
            factory.setMapperLocations(new ByteArrayResource(XML.getBytes()));
            return factory.getObject();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface PlainMapper {}

    @PlainMapper
    interface Notes {
        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        void insert(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{note.id}, #{item})")
        void insertNamed(@Param("note") Tagged note, @Param("item") String item);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, 'tea')")
        void insertSnowflake(Snowflaked note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{number})")
        void insertNumbered(Numbered note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, 'tea')")
        void insertUnnamed(Unnamed note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, 'tea')")
        void insertNumberedByLong(NumberedByLong note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, 'tea')")
        void insertRecord(Final note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, 'tea')")
        void insertTaggedByGetter(TaggedByGetter note);

        void insertByXml(Tagged note);

        void insertAll(@Param("notes") List<Tagged> notes);

        @Insert("<script>INSERT INTO notes (id, item) VALUES <foreach collection='items' item='item' index='at'"
                + " separator=','>(#{at} + 100, #{item})</foreach></script>")
        void insertItems(@Param("items") List<String> items);

        @Insert("INSERT INTO notes (id, ticket) VALUES (#{id}, #{ticket})")
        void insertTyped(Typed note);

        Typed findTyped(Note.Id id);

        @Select("SELECT id, ticket FROM notes WHERE ticket = #{ticket} AND id = #{id}")
        Pair findPair(@Param("ticket") Note.AuthorId ticket, @Param("id") Note.Id id);

        @Select("<script>SELECT id FROM notes WHERE id IN <foreach collection='ids' item='id' open='(' close=')'"
                + " separator=','>#{id}</foreach> ORDER BY id</script>")
        List<Note.Id> existing(@Param("ids") List<Note.Id> ids);

        @Select("SELECT id FROM notes ORDER BY id")
        List<Long> ids();

        @Select("SELECT item FROM notes WHERE id = #{id}")
        String item(long id);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
        void insertCounted(Tagged note);

        @Insert("<script>INSERT INTO notes (id, item) VALUES <foreach collection='notes' item='note' separator=','>"
                + "(#{note.id}, #{note.item})</foreach></script>")
        @Options(useGeneratedKeys = true, keyProperty = "notes.id", keyColumn = "id")
        void insertAllCounted(@Param("notes") List<Tagged> notes);

        @Insert("INSERT INTO notes (item) VALUES (#{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void insertWithoutId(Tagged note);

        @Insert("INSERT INTO notes (item) VALUES (#{item})")
        void insertNoId(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        @SelectKey(statement = "SELECT 7", keyProperty = "id", before = true, resultType = Long.class)
        void insertWithSelectKey(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id,item", keyColumn = "id,item")
        void insertWithTwoKeys(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item}) ON DUPLICATE KEY UPDATE item = VALUES(item)")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void upsert(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item}) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void upsertReporting(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (${id}, #{item})")
        void insertByText(Tagged note);

        @Insert("<script><bind name='key' value='id'/>INSERT INTO notes (id, item) VALUES (#{key}, #{item})</script>")
        void insertBound(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{note.id}, #{note.item})")
        void insertNested(Request request);

        @Insert("<script>INSERT INTO notes (id, item) VALUES <foreach collection='notes' item='note' separator=','>"
                + "(#{note.id}, #{note.item})</foreach></script>")
        void insertNestedList(Requests requests);

        @Update("/* shop */ INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        int insertAsUpdate(Tagged note);

        @Update("UPDATE notes SET item = 'mint' WHERE id = #{id}")
        int update(Tagged note);

        @Select("INSERT INTO notes (id, item) VALUES (#{id}, #{item}) RETURNING id")
        Long insertReturning(Tagged note);

        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        void insertMap(Map<String, Object> note);
    }

    static class Request {
        Tagged note = new Tagged();
    }

    static class Requests {
        List<Tagged> notes = List.of(new Tagged(), new Tagged());
    }

    abstract static class Base {
        @SegmentId("note")
        private Long id;
    }

    static class Tagged extends Base {
        String item = "tea";
    }

    static class Snowflaked {
        @SnowflakeId
        String id;
    }

    static class Numbered extends Base {
        @SeriesValue("note-number")
        String number;
    }

    static class NumberedByLong {
        @SeriesValue("note-number")
        Long id;
    }

    static class Unnamed {
        @SegmentId
        Long id;
    }

    static class TaggedByGetter {
        private Long id;

        @SegmentId("note")
        public Long getId() {
            return id;
        }
    }

    static class Typed {
        @SegmentId("typed-note")
        Note.Id id;

        @SegmentId("typed-ticket")
        Note.AuthorId ticket;
    }

    record Pair(Note.Id id, Note.AuthorId ticket) {}

    record Final(@SegmentId("note") Long id) {}

    @Test
    void insertedObjectsGetTheirIds() {
        application.run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS notes");
            database.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, item VARCHAR(40), ticket BIGINT)");
            var notes = context.getBean(Notes.class);
            annotatedStatementsInsertObjects(notes);
            statementsInXmlInsertObjectsAndLists(notes);
            aListWithNullsIsInserted(notes);
            anAssignedIdIsKept(notes);
            aSnowflakeIsMinted(notes);
            aTextThatIsNoKeyGetsTheNextNumberOfItsSeries(notes);
            aFieldThatCannotBeServedIsRefused(notes);
        });
    }

    @Test
    void typedIdsAreMintedStoredAndFound() {
        application.run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS notes");
            database.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, ticket BIGINT)");
            var notes = context.getBean(Notes.class);
            // Parameters are the first typed ids that MyBatis sees.
            assertThat(notes.existing(List.of(new Note.Id(1)))).isEmpty();
            var note = new Typed();
            notes.insertTyped(note);
            assertThat(note).returns(new Note.Id(1), stored -> stored.id);
            assertThat(notes.findTyped(note.id)).returns(note.ticket, stored -> stored.ticket);
            assertThat(notes.findPair(note.ticket, note.id)).isEqualTo(new Pair(note.id, note.ticket));
            assertThat(notes.existing(List.of(note.id, new Note.Id(2)))).containsExactly(note.id);
            var own = new Typed();
            own.id = new Note.Id(70);
            own.ticket = new Note.AuthorId(71);
            notes.insertTyped(own);
            assertThat(notes.findTyped(own.id)).returns(own.ticket, stored -> stored.ticket);
            assertThat(notes.ids()).containsExactly(1L, 70L);
        });
    }

    private static void annotatedStatementsInsertObjects(Notes notes) {
        var note = new Tagged();
        notes.insert(note);
        assertThat(((Base) note).id).isEqualTo(1);
        notes.insertNamed(new Tagged(), "mint");
        assertThat(notes.ids()).containsExactly(1L, 2L);
    }

    private static void statementsInXmlInsertObjectsAndLists(Notes notes) {
        notes.insertByXml(new Tagged());
        notes.insertAll(List.of(new Tagged(), new Tagged()));
        assertThat(notes.ids()).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    private static void aListWithNullsIsInserted(Notes notes) {
        notes.insertItems(Arrays.asList("tea", null));
        assertThat(notes.ids()).endsWith(100L, 101L);
    }

    private static void anAssignedIdIsKept(Notes notes) {
        var note = new Tagged();
        ((Base) note).id = 7777L;
        notes.insert(note);
        assertThat(notes.ids()).endsWith(7777L);
    }

    private static void aSnowflakeIsMinted(Notes notes) {
        var note = new Snowflaked();
        notes.insertSnowflake(note);
        assertThat(Long.parseLong(note.id)).isGreaterThan(1L << 40);
    }

    private static void aTextThatIsNoKeyGetsTheNextNumberOfItsSeries(Notes notes) {
        var note = new Numbered();
        notes.insertNumbered(note);
        assertThat(note.number).isEqualTo("N-001");
        assertThat(((Base) note).id).isPositive();
    }

    private static void aFieldThatCannotBeServedIsRefused(Notes notes) {
        assertThatThrownBy(() -> notes.insertUnnamed(new Unnamed()))
                .rootCause()
                .hasMessageContaining("MyBatis knows no table: write @SegmentId(\"name\")");
        assertThatThrownBy(() -> notes.insertNumberedByLong(new NumberedByLong()))
                .rootCause()
                .hasMessageContaining("of series \"note-number\" is no String");
        assertThatThrownBy(() -> notes.insertRecord(new Final(null)))
                .rootCause()
                .hasMessageContaining("which is final");
        assertThatThrownBy(() -> notes.insertTaggedByGetter(new TaggedByGetter()))
                .rootCause()
                .hasMessageContaining(TaggedByGetter.class.getName() + ".getId(): annotate the field");
    }

    private static void createCountedTable(ApplicationContext context) {
        var database = context.getBean(JdbcTemplate.class);
        database.execute("DROP TABLE IF EXISTS notes");
        database.execute("CREATE TABLE notes (id BIGINT AUTO_INCREMENT PRIMARY KEY, item VARCHAR(40))"
                + " AUTO_INCREMENT = 1000000000");
    }

    private static Tagged tagged(Long id, String item) {
        var note = new Tagged();
        ((Base) note).id = id;
        note.item = item;
        return note;
    }

    private static long idOf(Tagged note) {
        return ((Base) note).id;
    }

    /** As while a table moves away from its counter: https://github.com/mybatis/mybatis-3/issues/2860. */
    @Test
    void aTableThatCountsDoesNotChangeTheIdsOfObjects() {
        application.run(context -> {
            createCountedTable(context);
            var notes = context.getBean(Notes.class);
            Tagged one = tagged(null, "one");
            notes.insertCounted(one);
            List<Tagged> many = List.of(tagged(null, "a"), tagged(5000L, "b"), tagged(0L, "c"), tagged(4000L, "d"));
            notes.insertAllCounted(many);
            List<Tagged> batch = List.of(tagged(null, "e"), tagged(6000L, "f"), tagged(0L, "g"));
            var sessions = context.getBean(SqlSessionFactory.class);
            try (SqlSession session = sessions.openSession(ExecutorType.BATCH, false)) {
                batch.forEach(session.getMapper(Notes.class)::insertCounted);
                session.commit();
            }
            assertThat(Stream.of(List.of(one), many, batch).flatMap(List::stream))
                    .allSatisfy(note -> assertThat(notes.item(idOf(note))).isEqualTo(note.item));
            assertThat(notes.ids()).hasSize(8).allMatch(id -> id > 0 && id <= 6000);
        });
    }

    @Test
    void anInsertThatWouldKeepAnIdFromItsRowIsRefused() {
        application.run(context -> {
            createCountedTable(context);
            var notes = context.getBean(Notes.class);
            String property = Tagged.class.getName() + ".id";
            assertRefused(() -> notes.insertWithoutId(new Tagged()), "does not insert " + property);
            assertRefused(() -> notes.insertWithoutId(tagged(7L, "own")), "does not insert " + property);
            assertRefused(() -> notes.insertNoId(new Tagged()), "does not insert " + property);
            assertRefused(() -> notes.insertWithSelectKey(new Tagged()), "remove the <selectKey>");
            assertRefused(() -> notes.insertWithTwoKeys(new Tagged()), "take it out of keyProperty");
            assertRefused(() -> notes.upsert(new Tagged()), "may leave a row its own id");
            assertRefused(() -> notes.insertNested(new Request()), "the id #{note.id}");
            assertRefused(() -> notes.insertNestedList(new Requests()), "pass the " + Tagged.class.getName());
            assertThat(notes.ids()).isEmpty();
        });
    }

    private static void assertRefused(ThrowingCallable insert, String because) {
        assertThatThrownBy(insert)
                .rootCause()
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(because);
    }

    @Test
    void anInsertIsServedHoweverItIsWritten() {
        application.run(context -> {
            createCountedTable(context);
            var notes = context.getBean(Notes.class);
            notes.insertByText(tagged(0L, "text"));
            notes.insertBound(tagged(0L, "bound"));
            assertThat(notes.insertAsUpdate(tagged(0L, "update"))).isEqualTo(1);
            assertThat(notes.insertReturning(tagged(0L, "returning"))).isEqualTo(4);
            var set = new Request();
            set.note = tagged(70L, "nested");
            notes.insertNested(set);
            notes.insertMap(new HashMap<>(Map.of("id", 71L, "item", "map")));
            assertThat(notes.ids()).containsExactly(1L, 2L, 3L, 4L, 70L, 71L);
            Tagged unknown = tagged(null, "tea");
            assertThat(notes.update(unknown)).isZero();
            assertThat(((Base) unknown).id).isNull();
        });
    }

    /** https://github.com/mybatis/mybatis-3/issues/1798 and 3232. */
    @Test
    void anUpsertThatReportsTheIdOfTheRowGivesItToTheObject() {
        application.run(context -> {
            createCountedTable(context);
            context.getBean(JdbcTemplate.class).execute("ALTER TABLE notes ADD UNIQUE (item)");
            var notes = context.getBean(Notes.class);
            Tagged first = tagged(null, "tea");
            notes.upsertReporting(first);
            Tagged second = tagged(0L, "tea");
            notes.upsertReporting(second);
            assertThat(notes.ids()).containsExactly(idOf(first));
            assertThat(idOf(second)).isEqualTo(idOf(first));
        });
    }

    @Test
    void withoutAGeneratorOnlyWhatIsAnnotatedIsRefused() {
        application
                .withPropertyValues("leafmint.segment.enabled=false", "leafmint.snowflake.enabled=false")
                .run(context -> {
                    createCountedTable(context);
                    var notes = context.getBean(Notes.class);
                    notes.insertItems(List.of("tea"));
                    assertRefused(() -> notes.insert(new Tagged()), "leafmint.segment.enabled is false");
                    assertRefused(() -> notes.insertSnowflake(new Snowflaked()), "set leafmint.snowflake.enabled");
                    assertThat(notes.ids()).containsExactly(100L);
                });
    }

    /** As applications with several databases have them. */
    @Configuration(proxyBeanMethods = false)
    @MapperScan(basePackageClasses = Boxes.class, annotationClass = BoxesMapper.class)
    static class OwnTemplate {
        @Bean
        SqlSessionTemplate template(DataSource database) throws Exception {
            var factory = new SqlSessionFactoryBean();
            factory.setDataSource(database);
            return new SqlSessionTemplate(factory.getObject());
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface BoxesMapper {}

    @BoxesMapper
    interface Boxes {
        @Insert("INSERT INTO notes (id, item) VALUES (#{id}, #{item})")
        void insert(Tagged note);
    }

    @Test
    void aSessionWhoseFactoryIsNoBeanMintsToo() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("com.baomidou"))
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        LeafmintAutoConfiguration.class,
                        LeafmintPersistenceAutoConfiguration.class,
                        LeafmintMybatisAutoConfiguration.class))
                .withUserConfiguration(OwnTemplate.class)
                .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
                .run(context -> {
                    createCountedTable(context);
                    Tagged note = tagged(null, "tea");
                    context.getBean(Boxes.class).insert(note);
                    assertThat(idOf(note)).isEqualTo(1);
                });
    }

    /** Knows nothing of typed ids, and has a mapper that does not name them. */
    @Configuration(proxyBeanMethods = false)
    @MapperScan(basePackageClasses = Counts.class, annotationClass = CountsMapper.class)
    static class OwnSessions {
        @Bean
        SqlSessionFactory sqlSessionFactory(DataSource database) throws Exception {
            var factory = new SqlSessionFactoryBean();
            factory.setDataSource(database);
            return factory.getObject();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @MapperScan(basePackageClasses = Counts.class, annotationClass = CountsMapper.class)
    static class OwnSession extends OwnTemplate {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface CountsMapper {}

    @CountsMapper
    interface Counts {
        @Select("SELECT #{first} AS id, #{second} AS ticket")
        Typed echo(@Param("first") Note.Id first, @Param("second") Note.AuthorId second);

        @Select("""
                <script>
                SELECT <foreach collection="ids" item="id" separator="+">#{id}</foreach> +
                <foreach collection="others" item="id" separator="+">#{id}</foreach>
                </script>""")
        long sum(Wanted wanted);
    }

    @IdForm(prefix = "wanted")
    @SuppressWarnings("serial")
    static final class WantedId extends TypedId {
        public WantedId(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "other")
    @SuppressWarnings("serial")
    static final class OtherId extends TypedId {
        public OtherId(long value) {
            super(value);
        }
    }

    static class Wanted {
        List<WantedId> ids = List.of(new WantedId(40), new WantedId(1));
        OtherId[] others = {new OtherId(1)};
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnSessions.class, OwnSession.class})
    void sessionsOfTheApplicationNeitherLeaveOutNorSerializeTypedIds(Class<?> sessions) {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("com.baomidou"))
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, LeafmintMybatisTypedIdAutoConfiguration.class))
                .withUserConfiguration(sessions)
                .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
                .run(context -> assertThat(context.getBean(Counts.class).echo(new Note.Id(1), new Note.AuthorId(2)))
                        .returns(new Note.Id(1), echoed -> echoed.id)
                        .returns(new Note.AuthorId(2), echoed -> echoed.ticket));
    }

    @Test
    void aParameterMayHaveTypedIdsInItsCollections() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("com.baomidou"))
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, LeafmintMybatisTypedIdAutoConfiguration.class))
                .withUserConfiguration(OwnSessions.class)
                .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
                .run(context -> assertThat(context.getBean(Counts.class).sum(new Wanted()))
                        .isEqualTo(42));
    }

    @Configuration(proxyBeanMethods = false)
    static class LazySessions {
        @Bean
        @Lazy
        SqlSessionFactory unused() {
            throw new IllegalStateException("not asked for");
        }
    }

    @Test
    void sessionsThatAreLazyStaySo() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("com.baomidou"))
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, LeafmintMybatisTypedIdAutoConfiguration.class))
                .withUserConfiguration(LazySessions.class)
                .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class MockedSessions {
        @Bean
        SqlSessionFactory mocked() {
            return Mockito.mock(SqlSessionFactory.class);
        }
    }

    @Test
    void sessionsOfATestMayBeMocked() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("com.baomidou"))
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, LeafmintMybatisTypedIdAutoConfiguration.class))
                .withUserConfiguration(MockedSessions.class)
                .withPropertyValues(TestDatabase.properties("leafmint_mybatis"))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
