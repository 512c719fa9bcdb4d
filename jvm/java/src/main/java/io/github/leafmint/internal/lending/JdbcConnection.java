package io.github.leafmint.internal.lending;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of JDBC. */
public final class JdbcConnection implements LentConnection {
    /** The SQLSTATE of a statement that a read-only transaction refuses. */
    private static final String READ_ONLY = "25006";

    /** Closes a connection, or gives it back. */
    interface Release {
        void accept(Connection connection) throws SQLException;

        /**
         * Keeps a pool from lending a connection again that was cut, before it is given back. Returns whether the pool
         * has dropped it already; if not, it drops it because it sees it fail.
         */
        default boolean drop(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
            return false;
        }
    }

    private final Connection connection;
    private final Release release;
    private final boolean isShared;
    private final boolean committedEach;
    private final String product;
    private final String version;
    private volatile @Nullable Statement running;
    private volatile boolean isBroken;

    private JdbcConnection(Connection connection, boolean isShared, Release release) throws SQLException {
        this.connection = connection;
        this.release = release;
        this.isShared = isShared;
        if (connection.isReadOnly()) {
            throw new SQLException(
                    "its connections are read-only: pass a data source whose connections may write", READ_ONLY);
        }
        committedEach = connection.getAutoCommit();
        if (!committedEach) {
            connection.setAutoCommit(true);
        }
        DatabaseMetaData database = connection.getMetaData();
        product = String.valueOf(database.getDatabaseProductName());
        version = String.valueOf(database.getDatabaseProductVersion());
    }

    /**
     * Uses a connection that was taken for this.
     *
     * @param taken what the driver or the data source returned
     */
    static JdbcConnection of(@Nullable Connection taken, boolean isShared, Release release) throws SQLException {
        if (taken == null) {
            throw new SQLException("it returned no connection");
        }
        try {
            return new JdbcConnection(taken, isShared, release);
        } catch (Throwable failure) {
            try {
                release.accept(taken);
            } catch (Throwable second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }

    @Override
    public String product() {
        return product;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public List<Ran> run(List<String> statements) {
        var results = new ArrayList<Ran>();
        if (setAutoCommit(true, results)) {
            runAll(statements, results);
        }
        return results;
    }

    @Override
    public List<Ran> runTogether(List<String> statements) {
        var results = new ArrayList<Ran>();
        if (setAutoCommit(false, results) && runAll(statements, results) && commit(results)) {
            setAutoCommit(true, new ArrayList<>());
        } else {
            rollBack();
        }
        return results;
    }

    private boolean setAutoCommit(boolean commitsEach, List<Ran> results) {
        try {
            if (isBroken) {
                throw new SQLException("a transaction of this connection was not ended", "08003");
            }
            if (connection.getAutoCommit() != commitsEach) {
                connection.setAutoCommit(commitsEach);
            }
            return true;
        } catch (Throwable failure) {
            results.add(DriverFailure.ofStatement(failure));
            return false;
        }
    }

    /** Runs statements in turn. Returns whether none failed. */
    private boolean runAll(List<String> statements, List<Ran> results) {
        Statement statement = null;
        try {
            statement = connection.createStatement();
            statement.setEscapeProcessing(false);
            running = statement;
            for (String sql : statements) {
                results.add(statement.execute(sql) ? rowsOf(statement) : changedBy(statement));
            }
            return true;
        } catch (Throwable failure) {
            results.add(DriverFailure.ofStatement(failure));
            return false;
        } finally {
            running = null;
            close(statement);
        }
    }

    private static Ran rowsOf(Statement statement) throws SQLException {
        try (ResultSet read = statement.getResultSet()) {
            int columns = read.getMetaData().getColumnCount();
            var rows = new ArrayList<@Nullable String[]>();
            while (read.next()) {
                @Nullable String[] row = new String[columns];
                for (int column = 0; column < columns; column++) {
                    row[column] = read.getString(column + 1);
                }
                rows.add(row);
            }
            return new Ran.Rows(columns, rows);
        }
    }

    private static Ran changedBy(Statement statement) throws SQLException {
        return new Ran.Changed(Math.max(0, statement.getUpdateCount()));
    }

    private boolean commit(List<Ran> results) {
        try {
            connection.commit();
            return true;
        } catch (Throwable failure) {
            results.add(DriverFailure.ofStatement(failure));
            return false;
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (Throwable failure) {
            // setAutoCommit(true) would commit what was not rolled back.
            cut();
        }
    }

    @Override
    public void cut() {
        isBroken = true;
        try {
            connection.abort(Runnable::run);
        } catch (Throwable failure) {
            // A driver that cannot: H2 does nothing either.
        }
        Statement waiting = running;
        try {
            if (waiting != null && !connection.isClosed()) {
                waiting.cancel();
            }
        } catch (Throwable failure) {
            // It goes on until the driver returns.
        }
    }

    @Override
    public void close() {
        try {
            boolean isDropped = isBroken && release.drop(connection);
            if (!isDropped && !committedEach) {
                connection.setAutoCommit(false);
            }
        } catch (Throwable failure) {
            // The pool sees it too.
        }
        try {
            release.accept(connection);
        } catch (Throwable failure) {
            // Nothing depends on it.
        }
    }

    private static void close(@Nullable Statement statement) {
        try {
            if (statement != null) {
                statement.close();
            }
        } catch (Throwable failure) {
            // What the statement did is known.
        }
    }
}
