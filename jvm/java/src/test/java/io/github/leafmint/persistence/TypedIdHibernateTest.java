package io.github.leafmint.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.persistence.TypedShop.CustomerId;
import io.github.leafmint.persistence.TypedShop.OrderId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entities with typed ids in the Hibernate on the class path: the build runs this with 6.6, 7.2 and 7.4. */
class TypedIdHibernateTest {
    private static SegmentGenerator ids;
    private static SnowflakeGenerator flakes;
    private static SessionFactory shop;

    @BeforeAll
    static void open(@TempDir Path workers) {
        ids = SegmentGenerator.open("memory://" + UUID.randomUUID());
        flakes = SnowflakeGenerator.open("local:" + workers);
        shop = Database.factory(
                Map.of(HibernateSettings.SEGMENT_GENERATOR, ids, HibernateSettings.SNOWFLAKE_GENERATOR, flakes),
                TypedShop.ENTITIES);
    }

    @BeforeEach
    void haveKeys() {
        TypedIds.setDefault(TypedIds.of(IdKeys.of(IdKeys.generate(1))));
    }

    @AfterAll
    static void close() {
        TypedIds.setDefault(TypedIds.ofEnvironment());
        shop.close();
        flakes.close();
        ids.close();
    }

    private static <E> E save(E entity) {
        return in(session -> {
            session.persist(entity);
            return entity;
        });
    }

    private static <R> R in(Function<Session, R> work) {
        return shop.fromTransaction(work);
    }

    private static TypedShop.Order order() {
        var order = new TypedShop.Order();
        order.seller = new CustomerId(7);
        order.gift = new TypedShop.Gift();
        order.gift.giver = new CustomerId(8);
        order.watchers.add(new CustomerId(9));
        order.shares.put(new CustomerId(10), 50);
        order.buyer = save(new TypedShop.Customer());
        return order;
    }

    @Test
    void everyTypedIdIsABigint() {
        List<String> others =
                in(session -> session.createNativeQuery("""
                        SELECT CONCAT(table_name, '.', column_name, ' ', data_type) FROM information_schema.columns
                        WHERE table_schema = DATABASE() AND data_type <> 'bigint'""", String.class).getResultList());
        assertEquals(Set.of("order_lines.position int", "orders_shares.shares int"), Set.copyOf(others));
    }

    @Test
    void aNewEntityGetsATypedIdAndIsFoundByIt() {
        TypedShop.Order saved = save(order());
        TypedShop.Order found = in(session -> {
            TypedShop.Order order = session.find(TypedShop.Order.class, saved.id);
            assertEquals(List.of(new CustomerId(9)), List.copyOf(order.watchers));
            assertEquals(Map.of(new CustomerId(10), 50), order.shares);
            return order;
        });
        assertEquals(saved.id, found.id);
        assertEquals(new CustomerId(7), found.seller);
        assertEquals(new CustomerId(8), found.gift.giver);
        assertEquals(saved.buyer.id, found.buyer.id);
        assertEquals(List.of(saved.id.value()), in(session -> session.createNativeQuery(
                        "SELECT id FROM orders WHERE id = :id", Long.class)
                .setParameter("id", saved.id)
                .getResultList()));
        assertNull(in(session -> session.find(TypedShop.Order.class, new OrderId(987_654))));
    }

    @Test
    void withoutKeysNoRowIsStoredWhoseIdNoAnswerCouldShow() {
        var order = order();
        TypedIds.setDefault(TypedIds.ofEnvironment());
        long before = rows();
        for (Object unsaved : List.of(order, new TypedShop.Visit())) {
            var failure = assertThrows(InvalidConfigException.class, () -> save(unsaved));
            assertTrue(failure.getMessage().contains("Id: ids of this form need keys"), failure::toString);
        }
        assertEquals(before, rows());
        TypedIds.setDefault(TypedIds.of(IdKeys.of(IdKeys.generate(1))));
        save(order);
        TypedIds.setDefault(TypedIds.ofEnvironment());
        assertEquals(order.id, in(session -> session.find(TypedShop.Order.class, order.id)).id);
    }

    private static long rows() {
        return in(session ->
                session.createQuery("SELECT COUNT(*) FROM orders", Long.class).getSingleResult());
    }

    @Test
    void aTypedIdThatIsNoKeyIsMintedAndKept() {
        TypedShop.Order saved = save(order());
        assertTrue(saved.ticket.value() > 0);
        var own = order();
        own.ticket = new TypedShop.TicketId(1_000_000);
        assertEquals(1_000_000, save(own).ticket.value());
        assertEquals(own.ticket, in(session -> session.find(TypedShop.Order.class, own.id)).ticket);
    }

    @Test
    void queriesTakeAndReturnTypedIds() {
        TypedShop.Order saved = save(order());
        assertEquals(List.of(saved.id), in(session -> session.createQuery(
                        "SELECT o.id FROM orders o WHERE o.buyer.id = :buyer AND o.seller = :seller"
                                + " AND o.id IN :ids",
                        OrderId.class)
                .setParameter("buyer", saved.buyer.id)
                .setParameter("seller", new CustomerId(7))
                .setParameter("ids", List.of(saved.id, new OrderId(5_000_000)))
                .getResultList()));
        assertEquals(List.of(saved), in(session -> {
            var builder = session.getCriteriaBuilder();
            var query = builder.createQuery(TypedShop.Order.class);
            var order = query.from(TypedShop.Order.class);
            query.where(
                    builder.equal(order.get("id"), saved.id),
                    builder.equal(order.get("seller"), builder.literal(new CustomerId(7))));
            return session.createQuery(query).getResultList().stream()
                    .map(found -> found.id.equals(saved.id) ? saved : found)
                    .toList();
        }));
        record Row(OrderId id, CustomerId buyer) {}
        assertEquals(new Row(saved.id, saved.buyer.id), in(session -> session
                .createQuery("SELECT o.id, o.buyer.id FROM orders o WHERE o.id = :id", Object[].class)
                .setParameter("id", saved.id)
                .getResultList()
                .stream()
                .map(row -> new Row((OrderId) row[0], (CustomerId) row[1]))
                .findFirst()
                .orElseThrow()));
    }

    @Test
    void anIdOfAnotherTypeIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> in(session -> session.createQuery("FROM orders o WHERE o.id = :id", TypedShop.Order.class)
                        .setParameter("id", new CustomerId(1))
                        .getResultList()));
    }

    /** Hibernate 6.6 would make an id of each. */
    @Test
    void theDigitsOfANumberAreNoId() {
        for (Object wrong : List.of("1", List.of("1"), List.of(new CustomerId(1)))) {
            assertThrows(
                    RuntimeException.class,
                    () -> in(session -> session.createQuery("FROM orders o WHERE o.id IN :ids", TypedShop.Order.class)
                            .setParameter("ids", wrong)
                            .getResultList()),
                    wrong::toString);
        }
    }

    @Test
    void keysOfSeveralPartsAreFound() {
        var line = new TypedShop.Line();
        line.orderId = new OrderId(3);
        line.position = 2;
        save(line);
        var key = new TypedShop.Line.Key(new OrderId(3), 2);
        assertEquals(new OrderId(3), in(session -> session.find(TypedShop.Line.class, key)).orderId);

        var member = new TypedShop.Member();
        member.id = new TypedShop.Pair(new CustomerId(1), new CustomerId(2));
        save(member);
        assertEquals(member.id, in(session -> session.find(TypedShop.Member.class, member.id)).id);
    }

    @Test
    void aGetterMayReturnATypedId() {
        TypedShop.Visit saved = save(new TypedShop.Visit());
        assertEquals(
                flakes.stats().workerId(), flakes.decode(saved.getId().value()).workerId());
        assertEquals(
                saved.getId(),
                in(session -> session.find(TypedShop.Visit.class, saved.getId()))
                        .getId());
    }

    @IdForm(prefix = "without")
    static final class Without extends TypedId {
        private static final long serialVersionUID = 1L;

        Without(int value, int other) {
            super(value + other);
        }
    }

    @Entity
    static class Unmade {
        @Id
        Without id;
    }

    @Entity
    static class Abstract {
        @Id
        TypedId id;
    }

    @Test
    void aTypedIdThatCannotBeMadeIsRefused() {
        var unmade =
                assertThrows(InvalidConfigException.class, () -> Database.factory(Map.of(), List.of(Unmade.class)));
        assertTrue(
                unmade.getMessage().contains("Without: it has no public constructor that takes one long"),
                unmade::toString);
        var open = assertThrows(Exception.class, () -> Database.factory(Map.of(), List.of(Abstract.class)));
        assertTrue(open.getMessage().contains("is abstract"), open::toString);
    }

    abstract static class ShopId extends TypedId {
        private static final long serialVersionUID = 1L;

        ShopId(long value) {
            super(value);
        }
    }

    @Entity
    static class OfAbstractClass {
        @Id
        ShopId id;
    }

    @Test
    void aTypedIdThatIsNotFoundIsRefused() {
        var abstractClass = Database.builder(Map.of(), List.of(OfAbstractClass.class));
        var failure = assertThrows(InvalidConfigException.class, abstractClass::build);
        assertTrue(failure.getMessage().contains("would serialize " + ShopId.class.getName()), failure::toString);
    }

    @Test
    void aTypedIdThatHibernateWouldSerializeIsRefused() {
        var early = Database.builder(Map.of(), TypedShop.ENTITIES)
                .applyTypes((types, registry) ->
                        types.getTypeConfiguration().getJavaTypeRegistry().resolveDescriptor(OrderId.class));
        var failure = assertThrows(InvalidConfigException.class, early::build);
        assertTrue(failure.getMessage().contains("would serialize " + OrderId.class.getName()), failure::toString);
    }

    record Contact(CustomerId owner, String note) {}

    @Entity(name = "documents")
    static class Document {
        @Id
        long id;

        @JdbcTypeCode(SqlTypes.JSON)
        Contact contact;

        @JdbcTypeCode(SqlTypes.JSON)
        List<CustomerId> watchers;

        @JdbcTypeCode(SqlTypes.JSON)
        Map<String, CustomerId> roles;

        @JdbcTypeCode(SqlTypes.JSON)
        Map<CustomerId, String> names;
    }

    /** Hibernate writes JSON with a mapper of its own. */
    @Test
    void columnsOfJsonHaveTheTexts() {
        TypedIds.setDefault(
                TypedIds.of(IdKeys.of("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef")));
        try (var documents = Database.factory(Map.of(), List.of(Document.class))) {
            var saved = new Document();
            saved.contact = new Contact(new CustomerId(7), "tea");
            saved.watchers = List.of(new CustomerId(8));
            saved.roles = Map.of("buyer", new CustomerId(9));
            saved.names = Map.of(new CustomerId(10), "Ann");
            documents.inTransaction(session -> session.persist(saved));
            Document read = documents.fromTransaction(session -> session.find(Document.class, saved.id));
            assertEquals(saved.contact, read.contact);
            assertEquals(saved.watchers, read.watchers);
            assertEquals(saved.roles, read.roles);
            assertEquals(saved.names, read.names);
            String row = documents.fromTransaction(session -> session.createNativeQuery(
                            "SELECT CONCAT(contact, watchers, roles, names) FROM documents", String.class)
                    .getSingleResult());
            for (long number = 7; number <= 10; number++) {
                assertTrue(row.contains('"' + new CustomerId(number).toString() + '"'), row);
            }
        } finally {
            TypedIds.setDefault(TypedIds.ofEnvironment());
        }
    }
}
