package io.github.leafmint.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Entities whose ids Hibernate takes from a sequence, in old processes, and leafmint from the same one, in new ones.
 */
class SequenceTest {
    private static final URI SERVER =
            URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_POSTGRES"), "LEAFMINT_TEST_POSTGRES"));

    private final String schema =
            "sequences_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);

    /** The entity as it was: Hibernate takes 50 ids with each value. */
    @Entity(name = "Old")
    @Table(name = "orders")
    static class Old {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "orders_seq")
        @SequenceGenerator(name = "orders_seq", sequenceName = "orders_seq", allocationSize = 50)
        Long id;
    }

    /** The entity as it will be. */
    @Entity(name = "New")
    @Table(name = "orders")
    static class New {
        @Id
        @SegmentId("orders")
        Long id;
    }

    /** An entity whose key was an identity column. */
    @Entity(name = "OldVisit")
    @Table(name = "visits")
    static class OldVisit {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;
    }

    @Entity(name = "NewVisit")
    @Table(name = "visits")
    static class NewVisit {
        @Id
        @SegmentId("visits")
        Long id;
    }

    @BeforeEach
    void createSchema() {
        run("CREATE SCHEMA " + schema);
        try (var made = factory("pooled", Map.of("hibernate.hbm2ddl.auto", "create"), Old.class)) {
            assertTrue(made.isOpen());
        }
    }

    @AfterEach
    void dropSchema() {
        run("DROP SCHEMA " + schema + " CASCADE");
    }

    private void run(String sql) {
        try (var factory = factory("pooled", Map.of(), Old.class)) {
            factory.inTransaction(
                    session -> session.createNativeMutationQuery(sql).executeUpdate());
        }
    }

    private static String[] account() {
        return SERVER.getUserInfo().split(":", 2);
    }

    private SessionFactory factory(String optimizer, Map<String, Object> more, Class<?> entity) {
        String[] account = account();
        var all = new HashMap<String, Object>(Map.of(
                "jakarta.persistence.jdbc.url",
                "jdbc:postgresql://" + SERVER.getHost() + ":" + SERVER.getPort() + SERVER.getPath() + "?currentSchema="
                        + schema,
                "jakarta.persistence.jdbc.user",
                account[0],
                "jakarta.persistence.jdbc.password",
                account.length > 1 ? account[1] : "",
                "hibernate.id.optimizer.pooled.preferred",
                optimizer));
        all.putAll(more);
        var registry = new StandardServiceRegistryBuilder().applySettings(all).build();
        return new MetadataSources(registry)
                .addAnnotatedClass(entity)
                .buildMetadata()
                .buildSessionFactory();
    }

    private SegmentGenerator generator(String optimizer) {
        return SegmentGenerator.builder(SERVER.toString())
                .sequence(schema + ".{tag}_seq")
                .option("sequence_optimizer", optimizer)
                .defaultStep(100)
                .open();
    }

    private static long saveOld(Session session) {
        var order = new Old();
        session.persist(order);
        return order.id;
    }

    private static long saveNew(Session session) {
        var order = new New();
        session.persist(order);
        return order.id;
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooled", "pooled-lo"})
    void oldAndNewProcessesSaveIntoOneTableAndNoIdComesTwice(String optimizer) {
        Set<Long> ids = new HashSet<>();
        try (SegmentGenerator first = generator(optimizer);
                SegmentGenerator second = generator(optimizer);
                var old = factory(optimizer, Map.of(), Old.class);
                var older = factory(optimizer, Map.of(), Old.class);
                var fresh = factory(optimizer, Map.of(HibernateSettings.SEGMENT_GENERATOR, first), New.class);
                var fresher = factory(optimizer, Map.of(HibernateSettings.SEGMENT_GENERATOR, second), New.class)) {
            for (int turn = 0; turn < 20; turn++) {
                for (SessionFactory each : List.of(old, fresh, older, fresher)) {
                    boolean isOld = each == old || each == older;
                    each.inTransaction(session -> {
                        for (int row = 0; row < 33; row++) {
                            assertTrue(ids.add(isOld ? saveOld(session) : saveNew(session)));
                        }
                    });
                }
            }
            long rows = old.fromTransaction(session ->
                    session.createQuery("select count(*) from Old", Long.class).getSingleResult());
            assertEquals(20L * 4 * 33, rows);
        }
        goBack(optimizer, ids);
    }

    @Test
    void anIdentityIsSharedByOldAndNewProcessesAndByOldOnesAgain() {
        Set<Long> ids = new HashSet<>();
        var create = Map.<String, Object>of("hibernate.hbm2ddl.auto", "create");
        try (var old = factory("pooled", create, OldVisit.class);
                SegmentGenerator generator = SegmentGenerator.builder(SERVER.toString())
                        .sequence(schema + ".{tag}_id_seq")
                        .open();
                var fresh = factory("pooled", Map.of(HibernateSettings.SEGMENT_GENERATOR, generator), NewVisit.class)) {
            for (int turn = 0; turn < 20; turn++) {
                for (int row = 0; row < 20; row++) {
                    assertTrue(ids.add(old.fromTransaction(SequenceTest::saveOldVisit)));
                    assertTrue(ids.add(fresh.fromTransaction(SequenceTest::saveNewVisit)));
                }
            }
        }
        try (var old = factory("pooled", Map.of(), OldVisit.class)) {
            for (int row = 0; row < 200; row++) {
                assertTrue(ids.add(old.fromTransaction(SequenceTest::saveOldVisit)));
            }
        }
    }

    private static long saveOldVisit(Session session) {
        var visit = new OldVisit();
        session.persist(visit);
        return visit.id;
    }

    private static long saveNewVisit(Session session) {
        var visit = new NewVisit();
        session.persist(visit);
        return visit.id;
    }

    /** Starts old code alone, and an old and a new process again. */
    private void goBack(String optimizer, Set<Long> ids) {
        try (SegmentGenerator generator = generator(optimizer);
                var old = factory(optimizer, Map.of(), Old.class);
                var fresh = factory(optimizer, Map.of(HibernateSettings.SEGMENT_GENERATOR, generator), New.class)) {
            for (int row = 0; row < 200; row++) {
                assertTrue(ids.add(old.fromTransaction(SequenceTest::saveOld)));
            }
            for (int row = 0; row < 200; row++) {
                assertTrue(ids.add(fresh.fromTransaction(SequenceTest::saveNew)));
                assertTrue(ids.add(old.fromTransaction(SequenceTest::saveOld)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooled", "pooled-lo"})
    void aSequenceOfHibernateIsRefusedUntilItsOptimizerIsNamed(String optimizer) {
        try (SegmentGenerator ids = SegmentGenerator.builder(SERVER.toString())
                .sequence(schema + ".orders_seq")
                .open()) {
            var error = assertThrows(
                    InvalidConfigException.class, () -> ids.tag("orders").nextId());
            assertTrue(error.getMessage().contains(optimizer), error::getMessage);
        }
    }
}
