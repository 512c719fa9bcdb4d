package io.github.leafmint;

import io.r2dbc.spi.ConnectionFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A connection of a driver, in whose transactions documents are numbered and stored. */
interface GaplessDocuments extends AutoCloseable {
    String INSERT = "INSERT INTO gapless_documents VALUES (%s, %s)";

    void begin() throws Exception;

    List<SeriesNumber> number(GaplessSequence sequence, long count) throws Exception;

    void store(GaplessSequence sequence, SeriesNumber number) throws Exception;

    void savepoint() throws Exception;

    void rollBackToSavepoint() throws Exception;

    void commit() throws Exception;

    void rollBack() throws Exception;

    /** Through JDBC. */
    final class Jdbc implements GaplessDocuments {
        private final Connection connection;
        private Savepoint savepoint;

        Jdbc(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void begin() throws SQLException {
            connection.setAutoCommit(false);
        }

        @Override
        public List<SeriesNumber> number(GaplessSequence sequence, long count) {
            return sequence.nextMany(connection, count);
        }

        @Override
        public void store(GaplessSequence sequence, SeriesNumber number) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement(INSERT.formatted("?", "?"))) {
                insert.setString(1, sequence.name());
                insert.setLong(2, number.number());
                insert.executeUpdate();
            }
        }

        @Override
        public void savepoint() throws SQLException {
            savepoint = connection.setSavepoint();
        }

        @Override
        public void rollBackToSavepoint() throws SQLException {
            connection.rollback(savepoint);
        }

        @Override
        public void commit() throws SQLException {
            connection.commit();
        }

        @Override
        public void rollBack() throws SQLException {
            connection.rollback();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** Through R2DBC. Waits for each step. */
    final class R2dbc implements GaplessDocuments {
        private final io.r2dbc.spi.Connection connection;

        R2dbc(ConnectionFactory connections) {
            connection = wait(connections.create());
        }

        private static <T> T wait(Publisher<T> publisher) {
            return Mono.from(publisher).block(Duration.ofSeconds(60));
        }

        @Override
        public void begin() {
            wait(connection.beginTransaction());
        }

        @Override
        public List<SeriesNumber> number(GaplessSequence sequence, long count) {
            return wait(R2dbcGapless.nextMany(sequence, connection, count));
        }

        @Override
        public void store(GaplessSequence sequence, SeriesNumber number) {
            String insert = INSERT.formatted("'" + sequence.name() + "'", number.number());
            wait(Flux.from(connection.createStatement(insert).execute()).flatMap(result -> result.getRowsUpdated()));
        }

        @Override
        public void savepoint() {
            wait(connection.createSavepoint("documents"));
        }

        @Override
        public void rollBackToSavepoint() {
            wait(connection.rollbackTransactionToSavepoint("documents"));
        }

        @Override
        public void commit() {
            wait(connection.commitTransaction());
        }

        @Override
        public void rollBack() {
            wait(connection.rollbackTransaction());
        }

        @Override
        public void close() {
            wait(connection.close());
        }
    }
}
