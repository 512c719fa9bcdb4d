package io.github.leafmint.spring.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.leafmint.gallery.Gallery;
import io.github.leafmint.gallery.Row;
import io.github.leafmint.persistence.SegmentId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.support.TransactionTemplate;

/** What frameworks make of minted keys, compared with those that a table counts: this one still does. */
@Gallery("Keys in Java")
@Timeout(60)
class KeysTest {
    private static final TestSchema SCHEMA = new TestSchema();
    private static ConfigurableApplicationContext application;
    private static JdbcTemplate database;
    private static JdbcAggregateTemplate lines;
    private static NoteMapper notes;

    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = Order.class)
    @MapperScan(basePackageClasses = Note.class, annotationClass = KeysMapper.class)
    static class Application {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface KeysMapper {}

    @Entity(name = "jpa_keys")
    static class Order {
        @jakarta.persistence.Id
        @SegmentId("keys")
        @Column(columnDefinition = "bigserial")
        Long id;

        String item;
    }

    interface Orders extends JpaRepository<Order, Long> {}

    @Table("keys")
    record Line(@Id @SegmentId("keys") Long id, String item) {}

    @Table("keys")
    record Versioned(
            @Id @SegmentId("keys") Long id,
            String item,
            @Version Long version) {}

    @Table("baskets")
    record Basket(@Id @SegmentId("basket") Long id, Set<Line> lines) {}

    @TableName("keys")
    static class Note {
        @TableId
        @SegmentId("keys")
        Long id;

        String item;

        static Note of(Long id, String item) {
            var note = new Note();
            note.id = id;
            note.item = item;
            return note;
        }
    }

    @KeysMapper
    interface NoteMapper extends BaseMapper<Note> {
        @Insert("INSERT INTO keys (id, item) VALUES (#{id}, #{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void insertCounted(Note note);

        @Insert("INSERT INTO keys (id, item) VALUES (#{id}, #{item})"
                + " ON CONFLICT (item) WHERE item LIKE 'one%' DO UPDATE SET version = 1")
        @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
        void upsert(Note note);

        @Insert("INSERT INTO keys (item) VALUES (#{item})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void insertWithoutId(Note note);

        @Insert("INSERT INTO keys (id, item) VALUES (#{note.id}, #{note.item})")
        void insertOf(Request request);
    }

    record Request(Note note) {}

    @BeforeAll
    static void start() {
        SCHEMA.create();
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(SCHEMA.dataSource())
                .properties(
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.auto-create=true",
                        "spring.jpa.hibernate.ddl-auto=update",
                        "spring.jpa.properties.hibernate.generate_statistics=true",
                        "spring.jpa.properties.hibernate.jdbc.batch_size=50")
                .run();
        database = application.getBean(JdbcTemplate.class);
        database.execute("CREATE TABLE keys (id bigserial PRIMARY KEY, item text, version bigint, baskets bigint)");
        database.execute("CREATE UNIQUE INDEX ON keys (item) WHERE item LIKE 'one%'");
        database.execute("CREATE TABLE baskets (id bigint PRIMARY KEY)");
        lines = application.getBean(JdbcAggregateTemplate.class);
        notes = application.getBean(NoteMapper.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        SCHEMA.drop();
    }

    @BeforeEach
    void empty() {
        database.execute("TRUNCATE keys, jpa_keys");
    }

    /** Returns the items of the rows, in the order of their ids, none of which is the counter's or 0. */
    private static List<String> items(String table) {
        assertThat(database.queryForObject("SELECT count(*) FROM " + table + " WHERE id = 0", Long.class))
                .isZero();
        assertThat(database.queryForObject("SELECT is_called FROM " + table + "_id_seq", Boolean.class))
                .isFalse();
        return database.queryForList("SELECT item FROM " + table + " ORDER BY id", String.class);
    }

    private static String itemOf(String table, Long id) {
        return database.queryForObject("SELECT item FROM " + table + " WHERE id = ?", String.class, id);
    }

    private static Order order(Long id, String item) {
        var order = new Order();
        order.id = id;
        order.item = item;
        return order;
    }

    private static Order save(Order order) {
        return inOrders(orders -> orders.saveAll(List.of(order))).get(0);
    }

    private static List<Order> inOrders(Function<Orders, List<Order>> work) {
        var entities =
                SharedEntityManagerCreator.createSharedEntityManager(application.getBean(EntityManagerFactory.class));
        return application
                .getBean(TransactionTemplate.class)
                .execute(status -> work.apply(new JpaRepositoryFactory(entities).getRepository(Orders.class)));
    }

    @Row(
            library = "spring-data-jpa",
            what = "`save` of an entity without an id, or with 0",
            outcome = "right",
            meaning = "a row each")
    void jpaSaveOfANewEntity() {
        for (Long none : new Long[] {null, 0L, 0L}) {
            Order saved = save(order(none, "tea"));
            assertThat(itemOf("jpa_keys", saved.id)).isEqualTo("tea");
        }
        assertThat(items("jpa_keys")).hasSize(3);
    }

    @Row(
            library = "spring-data-jpa",
            what = "`save` of a known id, and of one that no row has",
            outcome = "right",
            meaning = "the row is updated; inserted with its id, where `IDENTITY` takes another")
    void jpaSaveOfAnId() {
        Long known = save(order(null, "tea")).id;
        save(order(known, "mint"));
        save(order(9_000_000L, "sage"));
        assertThat(items("jpa_keys")).containsExactly("mint", "sage");
        assertThat(itemOf("jpa_keys", 9_000_000L)).isEqualTo("sage");
    }

    @Row(
            library = "spring-data-jpa",
            what = "`saveAll`",
            outcome = "right",
            meaning = "a batch, where `IDENTITY` sends a statement for each row")
    void jpaSaveAll() {
        Statistics statistics = application
                .getBean(EntityManagerFactory.class)
                .unwrap(SessionFactory.class)
                .getStatistics();
        statistics.clear();
        inOrders(orders -> orders.saveAll(
                Stream.generate(() -> order(null, "tea")).limit(50).toList()));
        assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
        assertThat(items("jpa_keys")).hasSize(50);
    }

    @Row(
            library = "spring-data-jdbc",
            what = "`save` of an aggregate without an id, or with 0",
            outcome = "right",
            meaning = "a row each")
    void jdbcSaveOfANewAggregate() {
        for (Long none : new Long[] {null, 0L, 0L}) {
            assertThat(itemOf("keys", lines.save(new Line(none, "tea")).id())).isEqualTo("tea");
            assertThat(lines.save(new Versioned(none, "mint", null)).version()).isZero();
        }
        assertThat(items("keys")).hasSize(6);
    }

    @Row(
            library = "spring-data-jdbc",
            what = "`save` of a known id, `insert` of another",
            outcome = "right",
            meaning = "the row is updated")
    void jdbcSaveOfAKnownId() {
        Long known = lines.save(new Line(null, "tea")).id();
        lines.save(new Line(known, "mint"));
        lines.insert(new Line(9_000_000L, "sage"));
        assertThat(items("keys")).containsExactly("mint", "sage");
    }

    @Row(
            library = "spring-data-jdbc",
            what = "`save` of an id that no row has",
            outcome = "silent",
            meaning = "writes no row, as with auto-increment; call `insert`")
    void jdbcSaveOfAnUnknownId() {
        lines.save(new Line(9_000_000L, "sage"));
        assertThat(items("keys")).isEmpty();
    }

    @Row(
            library = "spring-data-jdbc",
            what = "`saveAll`, `insertAll`",
            outcome = "right",
            meaning = "each aggregate has the id of its row")
    void jdbcSaveAll() {
        List<Line> given = IntStream.range(0, 20)
                .mapToObj(number -> new Line(number % 2 == 0 ? null : 0L, "tea" + number))
                .toList();
        Stream.of(lines.saveAll(given), lines.insertAll(given))
                .flatMap(Collection::stream)
                .forEach(line -> assertThat(itemOf("keys", line.id())).isEqualTo(line.item()));
        assertThat(items("keys")).hasSize(40);
    }

    /** https://github.com/spring-projects/spring-data-relational/issues/1328. */
    @Row(
            library = "spring-data-jdbc",
            what = "`save` of an aggregate whose child has no id",
            outcome = "loud",
            meaning = "names the child; only roots get ids",
            match = "KeysTest.Line.id in lines is not set")
    void jdbcChild() {
        lines.save(new Basket(null, Set.of(new Line(null, "tea"))));
    }

    /** https://github.com/baomidou/mybatis-plus/issues/2442. */
    @Row(
            library = "mybatis-plus",
            what = "`insert`, `insertOrUpdate` of an object without an id, or with 0",
            outcome = "right",
            meaning = "a row each")
    void plusInsertOfANewObject() {
        for (Long none : new Long[] {null, 0L, 0L}) {
            Note inserted = Note.of(none, "tea");
            notes.insert(inserted);
            assertThat(itemOf("keys", inserted.id)).isEqualTo("tea");
            notes.insertOrUpdate(Note.of(none, "mint"));
        }
        assertThat(items("keys")).hasSize(6);
    }

    @Row(
            library = "mybatis-plus",
            what = "`insertOrUpdate` of a known id, and of one that no row has",
            outcome = "right",
            meaning = "the row is updated; inserted with its id")
    void plusInsertOrUpdate() {
        Note known = Note.of(null, "tea");
        notes.insert(known);
        notes.insertOrUpdate(Note.of(known.id, "mint"));
        notes.insertOrUpdate(Note.of(9_000_000L, "sage"));
        assertThat(items("keys")).containsExactly("mint", "sage");
    }

    /** https://github.com/baomidou/mybatis-plus/issues/4938. */
    @Row(
            library = "mybatis-plus",
            what = "`insert`, `insertOrUpdate` of many, in a batch",
            outcome = "right",
            meaning = "each object has the id of its row")
    void plusBatch() {
        List<Note> many = IntStream.range(0, 20)
                .mapToObj(number -> Note.of(number % 2 == 0 ? null : 0L, "tea" + number))
                .toList();
        notes.insert(many);
        notes.insertOrUpdate(many);
        many.forEach(note -> assertThat(itemOf("keys", note.id)).isEqualTo(note.item));
        assertThat(items("keys")).hasSize(20);
    }

    @Row(
            library = "mybatis",
            what = "`useGeneratedKeys` on a table that counts",
            outcome = "right",
            meaning = "the object has the id of its row")
    void mybatisGeneratedKeys() {
        for (Long id : new Long[] {null, 0L, 9_000_000L}) {
            Note note = Note.of(id, "tea");
            notes.insertCounted(note);
            assertThat(itemOf("keys", note.id)).isEqualTo("tea");
        }
        assertThat(items("keys")).hasSize(3);
    }

    /** https://github.com/mybatis/mybatis-3/issues/3232. */
    @Row(
            library = "mybatis",
            what = "`useGeneratedKeys` of an upsert: `ON CONFLICT`, or `LAST_INSERT_ID(id)` in MySQL",
            outcome = "right",
            meaning = "the object has the id of its row, also of one that was there; other upserts are refused")
    void mybatisUpsert() {
        Note first = Note.of(null, "one");
        notes.upsert(first);
        Note second = Note.of(0L, "one");
        notes.upsert(second);
        assertThat(items("keys")).containsExactly("one");
        assertThat(second.id).isEqualTo(first.id);
    }

    /** https://github.com/baomidou/mybatis-plus/issues/4037. */
    @Row(
            library = "mybatis",
            what = "an insert that does not write the id",
            outcome = "loud",
            meaning = "names the statement and the property",
            match = "insertWithoutId does not insert .*Note.id")
    void mybatisWithoutId() {
        notes.insertWithoutId(Note.of(null, "tea"));
    }

    @Row(
            library = "mybatis",
            what = "`#{note.id}` of an object within the parameter",
            outcome = "loud",
            meaning = "names the parameter; pass the object itself, or set its id",
            match = "the id #.note.id. of .* is not set")
    void mybatisNested() {
        notes.insertOf(new Request(Note.of(null, "tea")));
    }
}
