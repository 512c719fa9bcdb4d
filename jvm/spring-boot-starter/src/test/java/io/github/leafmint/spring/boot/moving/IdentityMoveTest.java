package io.github.leafmint.spring.boot.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What docs/from-auto-increment.md says, with Hibernate's IDENTITY as the old code: both insert, and back. */
class IdentityMoveTest {
    private static final long ROOM = 1_000_000_000;

    @Entity(name = "OldVisit")
    @Table(name = "visits")
    static class OldVisit implements MovedRow {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @Override
        public Long id() {
            return id;
        }
    }

    @Entity(name = "NewVisit")
    @Table(name = "visits")
    static class NewVisit implements MovedRow {
        @Id
        @SegmentId("visits")
        Long id;

        @Override
        public Long id() {
            return id;
        }
    }

    @Test
    void aRaisedCounterKeepsTheIdsOfBothApartThereAndBack() {
        new ApplicationContextRunner()
                .withUserConfiguration(MovedRow.Application.class)
                .withPropertyValues(TestDatabase.properties("leafmint_moving_identity"))
                .withPropertyValues("spring.jpa.hibernate.ddl-auto=none")
                .run(IdentityMoveTest::move);
    }

    private static void move(ApplicationContext context) {
        MovedRow.run(context, "CREATE OR REPLACE TABLE visits (id BIGINT AUTO_INCREMENT PRIMARY KEY)");
        List<Long> taken = new ArrayList<>(MovedRow.insert(context, OldVisit::new, 50));
        SegmentGenerator ids = context.getBean(SegmentGenerator.class);

        ids.createTag("visits").start(1_000_051).create();
        raiseCounter(context, 1_000_051 + ROOM);
        saveByTurns(context, taken);

        ids.raiseTagAbove("visits", taken.stream().mapToLong(it -> it).max().orElseThrow());
        taken.addAll(MovedRow.insert(context, NewVisit::new, 3000));

        raiseCounter(context, ids.listTags().get(0).maxId() + ROOM);
        saveByTurns(context, taken);
        assertThat(taken).doesNotHaveDuplicates().hasSizeGreaterThan(4000);
    }

    private static void raiseCounter(ApplicationContext context, long next) {
        MovedRow.run(context, "ALTER TABLE visits AUTO_INCREMENT = " + next + ", ALGORITHM=INPLACE, LOCK=NONE");
    }

    private static void saveByTurns(ApplicationContext context, List<Long> taken) {
        for (int turn = 0; turn < 5; turn++) {
            taken.addAll(MovedRow.insert(context, OldVisit::new, 50));
            taken.addAll(MovedRow.insert(context, NewVisit::new, 200));
        }
    }
}
