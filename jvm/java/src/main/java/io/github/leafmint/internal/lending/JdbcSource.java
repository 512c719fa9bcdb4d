package io.github.leafmint.internal.lending;

import io.github.leafmint.InvalidConfigException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source of the application, or one of leafmint's own. */
public final class JdbcSource implements ConnectionSource {
    private final DataSource source;
    private final @Nullable KnownDataSource known;
    private final String name;

    /**
     * Takes a data source.
     *
     * @throws InvalidConfigException if it has no connections to one database
     */
    public JdbcSource(DataSource source) {
        ShardingSphere.refuse(source);
        this.source = source;
        known = source instanceof KnownDataSource integrated ? integrated : null;
        name = DataSourceNames.of(source);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ClassLoader loader() {
        return source.getClass().getClassLoader();
    }

    @Override
    public LentConnection connect() throws SQLException {
        return known == null
                ? JdbcConnection.of(source.getConnection(), true, Connection::close)
                : JdbcConnection.of(known.getConnection(), !known.isOwn(), known.release());
    }

    @Override
    public Ran.Failed describe(Throwable failure) {
        return DriverFailure.ofConnecting(failure);
    }
}
