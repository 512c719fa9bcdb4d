package io.github.leafmint.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.gallery.Gallery;
import io.github.leafmint.gallery.Row;
import io.github.leafmint.status.WorkerInfo;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entities with ids of leafmint in the Hibernate on the class path: the build runs this with 6.6, 7.2 and 7.4. */
@Gallery("Keys in Java")
class HibernateTest {
    private static final List<String> STATEMENTS = new ArrayList<>();
    private static SegmentGenerator ids;
    private static SnowflakeGenerator flakes;
    private static SessionFactory shop;

    @BeforeAll
    static void open(@TempDir Path workers) {
        ids = SegmentGenerator.open("memory://" + UUID.randomUUID());
        flakes = SnowflakeGenerator.open("local:" + workers);
        shop = factory(
                Map.of(HibernateSettings.SEGMENT_GENERATOR, ids, HibernateSettings.SNOWFLAKE_GENERATOR, flakes),
                Shop.ENTITIES);
    }

    @AfterAll
    static void close() {
        shop.close();
        flakes.close();
        ids.close();
    }

    @BeforeEach
    void forget() {
        STATEMENTS.clear();
    }

    private static SessionFactory factory(Map<String, Object> settings, List<Class<?>> entities) {
        var all = new HashMap<>(settings);
        all.put("hibernate.session_factory.statement_inspector", (StatementInspector) sql -> {
            STATEMENTS.add(sql);
            return sql;
        });
        return Database.factory(all, entities);
    }

    @Entity
    static class Full {
        @Id
        @SegmentId("small-from-3e9")
        int id;
    }

    /** Saves entities in one transaction. */
    private static <E> E save(E entity) {
        return in(session -> {
            session.persist(entity);
            return entity;
        });
    }

    private static <R> R in(Function<Session, R> work) {
        return shop.fromTransaction(work);
    }

    private static Shop.Order order(Long id) {
        var order = new Shop.Order();
        order.id = id;
        return order;
    }

    @Test
    void hibernateIsTheVersionThatTheBuildNames() {
        assertEquals(System.getProperty("leafmint.hibernate"), Version.getVersionString());
    }

    @Test
    void aNewEntityGetsTheNextIdOfItsTagByOneInsert() {
        long first = save(order(null)).id;
        assertEquals(first + 1, save(order(null)).id);
        assertEquals(2, STATEMENTS.size(), STATEMENTS::toString);
        assertTrue(STATEMENTS.stream().allMatch(sql -> sql.startsWith("insert")), STATEMENTS::toString);
    }

    @Row(
            library = "Hibernate",
            what = "`persist`, `merge` of an id that no row has",
            outcome = "right",
            meaning = "a row with that id; `IDENTITY` refuses it, or takes another")
    void anAssignedIdIsKept() {
        save(order(1_000_000L));
        assertEquals(1_000_000L, in(session -> session.find(Shop.Order.class, 1_000_000L)).id);
        assertEquals(2_000_000L, in(session -> session.merge(order(2_000_000L))).id);
        assertEquals(2_000_000L, in(session -> session.find(Shop.Order.class, 2_000_000L)).id);
    }

    @Test
    void mergingANewEntityGivesItAnId() {
        long id = in(session -> session.merge(order(null))).id;
        assertTrue(id > 0);
    }

    /** {@code {"id": 0}}: what a form that shows an example sends. */
    @Row(
            library = "Hibernate",
            what = "`persist`, `merge`, stateless `insert` of an entity whose id is 0",
            outcome = "right",
            meaning = "a row each")
    void zeroIsNoIdHoweverItIsSaved() {
        long rows = count();
        assertTrue(save(order(0L)).id > 0);
        assertTrue(in(session -> session.merge(order(0L))).id > 0);
        assertTrue(in(session -> session.merge(order(0L))).id > 0);
        var inserted = order(0L);
        shop.inStatelessTransaction(session -> session.insert(inserted));
        assertTrue(inserted.id > 0);
        assertEquals(rows + 4, count());
        assertNull(in(session -> session.find(Shop.Order.class, 0L)));
    }

    /** Forms have written it before 0 was none. */
    @Row(
            library = "Hibernate",
            what = "`merge` of an entity whose id is 0, if row 0 exists",
            outcome = "right",
            meaning = "a row more")
    void aRowZeroIsNotOverwritten() {
        in(session -> session.createMutationQuery("insert into orders(id, item) values (0L, 'old')")
                .executeUpdate());
        var request = order(0L);
        request.item = "new";
        assertTrue(in(session -> session.merge(request)).id > 0);
        assertEquals("old", in(session -> session.find(Shop.Order.class, 0L)).item);
        in(session ->
                session.createMutationQuery("delete from orders where id = 0").executeUpdate());
    }

    @Row(
            library = "Hibernate",
            what = "`upsert` of an entity without an id, or with 0; Jakarta Data's `@Save`",
            outcome = "loud",
            meaning = "`InvalidArgumentException`; call `insert`",
            match = "upsert\\(\\) cannot mint .*Order.id")
    void anUpsertWithoutAnIdIsRefused() {
        assertThrows(
                InvalidArgumentException.class,
                () -> shop.inStatelessTransaction(session -> session.upsert(order(null))));
        shop.inStatelessTransaction(session -> session.upsert(order(0L)));
    }

    @Test
    void anUpsertWithoutItsOtherNumbersIsRefused() {
        assertThrows(
                InvalidArgumentException.class,
                () -> shop.inStatelessTransaction(session -> session.upsert(ticket(70))));
    }

    @Row(
            library = "Hibernate",
            what = "`upsert` of a known id, and of one that no row has",
            outcome = "right",
            meaning = "the row is updated; inserted")
    void anUpsertOfAnIdIsDone() {
        for (String item : List.of("first", "second")) {
            var known = order(7_000_000L);
            known.item = item;
            shop.inStatelessTransaction(session -> session.upsert(known));
            assertEquals(item, in(session -> session.find(Shop.Order.class, known.id)).item);
        }
    }

    private static long count() {
        return in(session -> session.createSelectionQuery("select count(*) from orders", Long.class)
                .getSingleResult());
    }

    @Row(library = "Hibernate", what = "HQL's `insert … values`", outcome = "right", meaning = "each row has an id")
    void anInsertOfHqlMints() {
        int inserted = in(session -> session.createMutationQuery("insert into orders(item) values ('hql'), ('hql')")
                .executeUpdate());
        List<Long> found =
                in(session -> session.createSelectionQuery("select id from orders where item = 'hql'", Long.class)
                        .getResultList());
        assertEquals(inserted, found.stream().filter(id -> id > 0).distinct().count());
    }

    @Row(
            library = "Hibernate",
            what = "HQL's `insert … select`",
            outcome = "loud",
            meaning = "`SemanticException` names the generator",
            match = "without bulk insertion capable identifier generator: io.github.leafmint")
    void anInsertOfHqlFromRowsIsRefused() {
        in(session -> session.createMutationQuery("insert into orders(item) select o.item from orders o")
                .executeUpdate());
    }

    @Row(
            library = "Hibernate",
            what = "`persist` of many",
            outcome = "right",
            meaning = "a batch, where `IDENTITY` sends a statement for each row")
    void insertsAreBatched() {
        in(session -> {
            for (int number = 0; number < 100; number++) {
                session.persist(order(null));
            }
            return null;
        });
        assertEquals(1, STATEMENTS.size(), STATEMENTS::toString);
    }

    @Test
    void aRollbackLeavesAGapAndNothingElse() {
        long before = save(order(null)).id;
        assertThrows(
                IllegalStateException.class,
                () -> in(session -> {
                    session.persist(order(null));
                    throw new IllegalStateException("rolled back");
                }));
        assertEquals(before + 2, save(order(null)).id);
    }

    @Test
    void anIdCanBeOfAnyTypeThatHoldsIt() {
        assertEquals(1L, save(new Shop.Count()).id);
        assertEquals(1, save(new Shop.Small()).id);
        assertEquals("1", save(new Shop.Named()).getId());
        assertEquals(BigInteger.ONE, save(new Shop.Large()).id);
        var small = new Shop.Small();
        small.id = 0;
        assertEquals(2, in(session -> session.merge(small)).id);
        var named = new Shop.Named();
        named.setId("");
        assertEquals("2", in(session -> session.merge(named)).getId());
        var large = new Shop.Large();
        large.id = BigInteger.ZERO;
        assertEquals(BigInteger.TWO, in(session -> session.merge(large)).id);
    }

    @Test
    void anEntityThatSharesTheIdOfAnotherHasIt() {
        var receipt = new Shop.Receipt();
        receipt.order = order(null);
        in(session -> {
            session.persist(receipt.order);
            session.persist(receipt);
            return null;
        });
        assertTrue(receipt.id > 0);
        assertEquals(receipt.order.id, receipt.id);
    }

    @Test
    void aPartOfAnEmbeddedIdIsMinted() {
        var parcel = new Shop.Parcel();
        parcel.id.country = "NL";
        assertEquals(1L, save(parcel).id.number);
        assertEquals("NL", parcel.id.country);
    }

    @Test
    void aTagWithoutANameIsThatOfTheTable() {
        assertEquals(1L, save(new Shop.Customer()).id);
        assertEquals("1", save(new Shop.Invoice()).id);
        assertEquals(2L, ids.tag("customers").nextId());
        assertEquals(2L, ids.tag("invoices").nextId());
    }

    @Test
    void aSnowflakeIsMinted() {
        long id = save(new Shop.Payment()).id;
        assertEquals(flakes.stats().workerId(), flakes.decode(id).workerId());
    }

    private static Shop.Ticket ticket(long id) {
        var ticket = new Shop.Ticket();
        ticket.id = id;
        return ticket;
    }

    @Test
    void idsThatAreNoKeysAreMintedByTheInsertAndKept() {
        Shop.Ticket saved = save(ticket(1));
        assertEquals("1 1 1", saved.number + " " + saved.seat + " " + saved.voucher.code);
        assertEquals(
                flakes.stats().workerId(),
                flakes.decode(Long.parseLong(saved.event)).workerId());
        in(session -> session.find(Shop.Ticket.class, 1L).item = "tea");
        Shop.Ticket found = in(session -> session.find(Shop.Ticket.class, 1L));
        assertEquals("1 1 1 tea", found.number + " " + found.seat + " " + found.voucher.code + " " + found.item);
        assertEquals(saved.event, found.event);

        Shop.Ticket own = ticket(2);
        own.number = 70L;
        own.seat = 71;
        own.event = "own";
        own.voucher.code = 72;
        save(own);
        Shop.Ticket kept = in(session -> session.find(Shop.Ticket.class, 2L));
        assertEquals("70 71 72 own", kept.number + " " + kept.seat + " " + kept.voucher.code + " " + kept.event);
        Shop.Ticket merged = in(session -> session.merge(ticket(3)));
        assertEquals("2 2", merged.number + " " + merged.seat);
        Shop.Ticket stateless = ticket(4);
        shop.inStatelessTransaction(session -> session.insert(stateless));
        assertEquals(3, in(session -> session.find(Shop.Ticket.class, 4L)).number);
    }

    @Test
    void aTextThatIsNoKeyGetsTheNextNumberOfItsSeriesAndKeepsIt() {
        Series bills = ids.series("bill-number")
                .period(SeriesPeriod.FOREVER)
                .format(IdFormat.of("B-{number:4}"))
                .open();
        var settings = Map.<String, Object>of(
                HibernateSettings.SEGMENT_GENERATOR, ids, HibernateSettings.SERIES, Map.of("bill-number", bills));
        try (var factory = factory(settings, List.of(Shop.Bill.class))) {
            for (int number = 1; number <= 2; number++) {
                var bill = new Shop.Bill();
                factory.inTransaction(session -> session.persist(bill));
                assertEquals("B-000" + number, bill.number);
                factory.inTransaction(session -> session.find(Shop.Bill.class, bill.id).item = "tea");
                Shop.Bill found = factory.fromTransaction(session -> session.find(Shop.Bill.class, bill.id));
                assertEquals("B-000" + number + " tea", found.number + " " + found.item);
            }
            var assigned = new Shop.Bill();
            assigned.number = "old";
            factory.inTransaction(session -> session.persist(assigned));
            assertEquals("old", assigned.number);
        }
        try (var factory = factory(Map.of(HibernateSettings.SEGMENT_GENERATOR, ids), List.of(Shop.Bill.class))) {
            var failure = assertThrows(
                    Exception.class, () -> factory.inTransaction(session -> session.persist(new Shop.Bill())));
            assertTrue(failure.toString().contains("setting leafmint.series"), failure::toString);
        }
    }

    @Test
    void anIntThatIsTooSmallIsRefused() {
        ids.createTag("small-from-3e9").start(3_000_000_000L).create();
        try (var factory = factory(Map.of(HibernateSettings.SEGMENT_GENERATOR, ids), List.of(Full.class))) {
            var full =
                    assertThrows(Exception.class, () -> factory.inTransaction(session -> session.persist(new Full())));
            assertTrue(full.getMessage().contains("3000000000 does not fit an int"), full::toString);
        }
    }

    @Test
    void aUrlOpensGeneratorsThatTheFactoryCloses(@TempDir Path folder) {
        String url = "sqlite:///" + folder.resolve("ids.db");
        var settings = Map.<String, Object>of(
                HibernateSettings.SEGMENT_URL, url, HibernateSettings.SNOWFLAKE_URL, "local:" + folder);
        try (var factory = factory(settings, List.of(Shop.Order.class, Shop.Payment.class))) {
            factory.inTransaction(session -> session.persist(order(null)));
            factory.inTransaction(session -> session.persist(new Shop.Payment()));
        }
        try (var later = SegmentGenerator.open(url)) {
            assertEquals(2, later.tag("order").nextId(), "a close gives back what was not used");
        }
        try (var later = SnowflakeGenerator.open("local:" + folder)) {
            assertEquals(
                    List.of(),
                    later.listWorkers().stream().filter(WorkerInfo::held).toList());
        }
    }

    @Test
    void withoutAGeneratorIdsComeFromTheDatabaseOfTheFactory() {
        var settings = Map.<String, Object>of(
                "leafmint.segment.auto_create", "true", "leafmint.snowflake.auto_create", "true");
        try (var factory = factory(settings, List.of(Shop.Order.class, Shop.Payment.class))) {
            factory.inTransaction(session -> {
                session.persist(order(null));
                session.persist(new Shop.Payment());
            });
            factory.inSession(session -> {
                var sql = "select max_id from leaf_alloc where biz_tag = 'order'";
                assertTrue(session.createNativeQuery(sql, Long.class).getSingleResult() > 1);
                assertEquals(
                        1, session.createQuery("from orders", Shop.Order.class).getSingleResult().id);
            });
        }
    }

    @Test
    void withoutATagTheFirstIdNamesTheDatabaseOfTheFactory() {
        try (var factory = factory(Map.of(), List.of(Shop.Order.class))) {
            var failure =
                    assertThrows(Exception.class, () -> factory.inTransaction(session -> session.persist(order(null))));
            assertTrue(failure.toString().contains("Hibernate's jdbc:mariadb:"), failure::toString);
            assertTrue(failure.toString().contains("leaf_alloc"), failure::toString);
        }
    }
}
