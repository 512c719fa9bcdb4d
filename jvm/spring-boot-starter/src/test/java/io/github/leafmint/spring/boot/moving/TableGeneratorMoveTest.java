package io.github.leafmint.spring.boot.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import io.github.leafmint.status.TagInfo;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** What docs/coming-from.md says of Hibernate's TABLE generator: old and new code insert side by side. */
class TableGeneratorMoveTest {
    private static final int ALLOCATION = 50;
    private static final long ROOM = 1_000_000_000;

    @Entity(name = "OldTicket")
    @Table(name = "tickets")
    static class OldTicket implements MovedRow {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "tickets")
        @TableGenerator(
                name = "tickets",
                table = "hibernate_sequences",
                pkColumnValue = "tickets",
                allocationSize = ALLOCATION)
        Long id;

        @Override
        public Long id() {
            return id;
        }
    }

    @Entity(name = "NewTicket")
    @Table(name = "tickets")
    static class NewTicket implements MovedRow {
        @Id
        @SegmentId("tickets")
        Long id;

        @Override
        public Long id() {
            return id;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooled", "pooled-lo"})
    void aRowThatCountsIsRaisedOverTheTag(String optimizer) {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withUserConfiguration(MovedRow.Application.class)
                .withPropertyValues(TestDatabase.properties("leafmint_moving"))
                .withPropertyValues("spring.jpa.properties.hibernate.id.optimizer.pooled.preferred=" + optimizer);
        application
                .withPropertyValues("spring.jpa.hibernate.ddl-auto=create-drop")
                .run(context -> move(context, application.withPropertyValues("spring.jpa.hibernate.ddl-auto=none")));
    }

    /** See <a href="https://github.com/servicecatalog/development/issues/696">a report</a> of such a table. */
    @Test
    void aRowWhoseValueIsMultipliedIsFarBelowItsIds() {
        new ApplicationContextRunner()
                .withUserConfiguration(MovedRow.Application.class)
                .withPropertyValues(TestDatabase.properties("leafmint_moving_hilo"))
                .withPropertyValues(
                        "spring.jpa.hibernate.ddl-auto=create-drop",
                        "spring.jpa.properties.hibernate.id.optimizer.pooled.preferred=hilo")
                .run(context -> {
                    List<Long> taken = MovedRow.insert(context, OldTicket::new, 5 * ALLOCATION);
                    assertThat(taken.get(taken.size() - 1)).isGreaterThan(raise(context) + ALLOCATION);
                });
    }

    private static void move(ApplicationContext context, ApplicationContextRunner restarted) {
        var taken = new ArrayList<>(MovedRow.insert(context, OldTicket::new, 2 * ALLOCATION + 7));
        long next = raise(context);
        context.getBean(SegmentGenerator.class)
                .createTag("tickets")
                .start(next + ALLOCATION)
                .create();
        for (int turn = 0; turn < 3; turn++) {
            List<Long> ofTheTag = MovedRow.insert(context, NewTicket::new, 100);
            assertThat(ofTheTag).allMatch(id -> id >= next + ALLOCATION && id < next + ROOM - ALLOCATION);
            taken.addAll(ofTheTag);
            taken.addAll(MovedRow.insert(context, OldTicket::new, ALLOCATION));
        }
        assertThat(taken).doesNotHaveDuplicates();
        assertThat(taken.get(taken.size() - 1)).isGreaterThan(ROOM);
        assertThat(taken).doesNotHaveDuplicates();
        goOnAlone(context, taken);
        raiseAgain(context);
        restarted.run(old -> {
            for (int turn = 0; turn < 3; turn++) {
                taken.addAll(MovedRow.insert(old, OldTicket::new, 2 * ALLOCATION));
                taken.addAll(MovedRow.insert(context, NewTicket::new, 3000));
            }
        });
        assertThat(taken).as("back").doesNotHaveDuplicates().hasSizeGreaterThan(12_000);
    }

    /** When no old code is left, the tag goes on above the highest row. */
    private static void goOnAlone(ApplicationContext context, List<Long> taken) {
        long highest = taken.stream().mapToLong(it -> it).max().orElseThrow();
        context.getBean(SegmentGenerator.class).raiseTagAbove("tickets", highest);
        taken.addAll(MovedRow.insert(context, NewTicket::new, 3000));
        assertThat(taken).doesNotHaveDuplicates();
    }

    /** Runs the statement of the page for the way back. */
    private static void raiseAgain(ApplicationContext context) {
        TagInfo tag = context.getBean(SegmentGenerator.class).listTags().get(0);
        String raise = "UPDATE hibernate_sequences SET next_val = " + (tag.maxId() + ROOM);
        assertThat(MovedRow.run(context, raise + " WHERE sequence_name = 'tickets'"))
                .isEqualTo(1);
    }

    /** Runs the statement of the page, and returns the old value. */
    private static long raise(ApplicationContext context) {
        var entities = context.getBean(EntityManager.class);
        return context.getBean(TransactionTemplate.class).execute(transaction -> {
            String of = " WHERE sequence_name = 'tickets'";
            var read = entities.createNativeQuery("SELECT next_val FROM hibernate_sequences" + of + " FOR UPDATE");
            long next = ((Number) read.getSingleResult()).longValue();
            String raise = "UPDATE hibernate_sequences SET next_val = next_val + " + ROOM;
            assertThat(entities.createNativeQuery(raise + of).executeUpdate()).isEqualTo(1);
            return next;
        });
    }
}
