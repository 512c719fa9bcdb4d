package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sequences without gaps by every driver: eight writers, savepoints, rollbacks, and processes that are killed. */
@Timeout(180)
class GaplessWritersTest {
    /** Transactions of each writer. */
    private static final int TIMES = 12;

    private final GaplessSequence sequence = sequence("invoice-" + UUID.randomUUID());

    private static GaplessSequence sequence(String name) {
        return GaplessSequence.named(name).period(SeriesPeriod.FOREVER).build();
    }

    enum Driver {
        MARIADB(GaplessDatabase.MARIADB, null),
        MYSQL(GaplessDatabase.MYSQL, null),
        POSTGRES(GaplessDatabase.POSTGRES, null),
        SQLITE(GaplessDatabase.SQLITE, null),
        REACTIVE_MARIADB(GaplessDatabase.MARIADB, R2dbcDrivers.MARIADB),
        REACTIVE_MYSQL(GaplessDatabase.MARIADB, R2dbcDrivers.MYSQL),
        REACTIVE_POSTGRES(GaplessDatabase.POSTGRES, R2dbcDrivers.POSTGRES);

        private final GaplessDatabase database;
        private final R2dbcDrivers reactive;

        Driver(GaplessDatabase database, R2dbcDrivers reactive) {
            this.database = database;
            this.reactive = reactive;
        }

        GaplessDocuments connect() throws SQLException {
            return reactive == null
                    ? new GaplessDocuments.Jdbc(database.connect())
                    : new GaplessDocuments.R2dbc(reactive.connections());
        }
    }

    /** Where a process is killed. */
    enum Point {
        BEFORE_THE_NUMBERS,
        AFTER_THE_NUMBERS,
        BEFORE_THE_COMMIT,
        AFTER_THE_COMMIT;

        void pass(String killedAt) throws Exception {
            if (name().equals(killedAt)) {
                String pid = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-9", pid).start().waitFor();
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }

    /** Stores two documents, and is killed at a point. */
    static final class Victim {
        public static void main(String[] arguments) throws Exception {
            GaplessDocuments documents = Driver.valueOf(arguments[0]).connect();
            GaplessSequence sequence = sequence(arguments[1]);
            documents.begin();
            Point.BEFORE_THE_NUMBERS.pass(arguments[2]);
            List<SeriesNumber> numbers = documents.number(sequence, 2);
            Point.AFTER_THE_NUMBERS.pass(arguments[2]);
            for (SeriesNumber number : numbers) {
                documents.store(sequence, number);
            }
            Point.BEFORE_THE_COMMIT.pass(arguments[2]);
            documents.commit();
            Point.AFTER_THE_COMMIT.pass(arguments[2]);
        }
    }

    private Process victim(Driver driver, Point point) throws Exception {
        var command = new ArrayList<String>();
        command.add(JavaProcess.java());
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-D" + GaplessDatabase.FILE + "=" + GaplessDatabase.file());
        command.addAll(List.of(Victim.class.getName(), driver.name(), sequence.name(), point.name()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void writersThatRollBackAndProcessesThatAreKilledLeaveNoGap(Driver driver) throws Exception {
        driver.database.createTables();
        var victims = new ArrayList<Process>();
        for (Point point : Point.values()) {
            victims.add(victim(driver, point));
        }
        var writing = new Minting();
        for (int writer = 0; writer < 8; writer++) {
            writing.start(() -> write(driver));
        }
        writing.join();
        for (Process victim : victims) {
            assertTrue(victim.waitFor(60, TimeUnit.SECONDS));
            assertEquals(128 + 9, victim.exitValue());
        }
        try (GaplessDocuments last = driver.connect()) {
            last.begin();
            last.store(sequence, last.number(sequence, 1).get(0));
            last.commit();
        }
        List<Long> stored = stored(driver.database);
        assertEquals(LongStream.rangeClosed(1, stored.size()).boxed().toList(), stored);
    }

    private void write(Driver driver) throws Exception {
        try (GaplessDocuments documents = driver.connect()) {
            for (int time = 0; time < TIMES; time++) {
                documents.begin();
                try {
                    writeOrRollBack(documents);
                } catch (StoreUnavailableException conflict) {
                    assertEquals("locked", conflict.reason());
                    documents.rollBack();
                }
            }
        }
    }

    private void writeOrRollBack(GaplessDocuments documents) throws Exception {
        store(documents, 1);
        documents.savepoint();
        store(documents, 3);
        if (ThreadLocalRandom.current().nextBoolean()) {
            documents.rollBackToSavepoint();
        }
        store(documents, 1);
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            documents.rollBack();
        } else {
            documents.commit();
        }
    }

    private void store(GaplessDocuments documents, long count) throws Exception {
        for (SeriesNumber number : documents.number(sequence, count)) {
            documents.store(sequence, number);
        }
    }

    private List<Long> stored(GaplessDatabase database) throws SQLException {
        var numbers = new ArrayList<Long>();
        try (Connection connection = database.connect();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT number FROM gapless_documents WHERE series = ? ORDER BY number")) {
            select.setString(1, sequence.name());
            ResultSet rows = select.executeQuery();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
