package io.github.leafmint.internal.lending;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source that an integration passes to leafmint, and knows more of than the object says. Only leafmint takes
 * connections from it.
 */
public abstract class KnownDataSource implements DataSource {
    private final String name;
    private final boolean isOwn;

    /**
     * Creates a data source.
     *
     * @param name what messages call it, without secrets and the same after each start
     * @param isOwn whether nothing else uses its connections: those are kept, others are given back after each piece of
     *     work
     */
    protected KnownDataSource(String name, boolean isOwn) {
        this.name = name;
        this.isOwn = isOwn;
    }

    /**
     * Names a data source, for example {@code data source "orders"}, and says whether its connections are leafmint's.
     */
    public static KnownDataSource of(DataSource target, String name, boolean isOwn) {
        return new Named(target, target, name, isOwn);
    }

    /** Names a copy of a data source, which nothing else uses, as the original. */
    public static KnownDataSource ofCopy(DataSource copy, DataSource original, String name) {
        return new Named(copy, original, name, true);
    }

    final String name() {
        return name;
    }

    final boolean isOwn() {
        return isOwn;
    }

    /** Closes a connection, or gives it back. */
    protected void release(Connection connection) throws SQLException {
        connection.close();
    }

    JdbcConnection.Release release() {
        return this::release;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    private static final class Named extends KnownDataSource {
        private final DataSource target;

        Named(DataSource target, DataSource named, String name, boolean isOwn) {
            super(name + " (" + DataSourceNames.of(named) + ")", isOwn);
            this.target = target;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return target.getConnection();
        }

        @Override
        JdbcConnection.Release release() {
            return target instanceof EvictingPool pool ? new Evicting(pool) : super.release();
        }
    }

    private record Evicting(EvictingPool pool) implements JdbcConnection.Release {
        @Override
        public void accept(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean drop(Connection connection) {
            pool.evictConnection(connection);
            return true;
        }
    }
}
