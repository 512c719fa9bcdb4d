package io.github.leafmint.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.internal.lending.DataSourceNames;
import io.github.leafmint.internal.lending.KnownDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/** The connections of a session factory. */
final class HibernateDataSource extends KnownDataSource {
    private final ConnectionProvider provider;

    private HibernateDataSource(ConnectionProvider provider, String name) {
        super(name, false);
        this.provider = provider;
    }

    /**
     * Returns the connections of a session factory.
     *
     * @throws InvalidConfigException if it has several databases
     */
    static DataSource of(ServiceRegistryImplementor services, Map<String, Object> settings, String needed) {
        if (services.getService(MultiTenantConnectionProvider.class) != null) {
            throw new InvalidConfigException(
                    "Hibernate has a database for each tenant, and ids come from one: " + needed);
        }
        ConnectionProvider provider = services.requireService(ConnectionProvider.class);
        return provider.isUnwrappableAs(DataSource.class)
                ? provider.unwrap(DataSource.class)
                : new HibernateDataSource(provider, nameOf(settings, provider));
    }

    private static String nameOf(Map<String, Object> settings, ConnectionProvider provider) {
        Object url = settings.get(AvailableSettings.JAKARTA_JDBC_URL);
        if (url == null) {
            url = settings.get("hibernate.connection.url");
        }
        Object user = settings.get(AvailableSettings.JAKARTA_JDBC_USER);
        return "Hibernate's "
                + (url == null ? provider.getClass().getSimpleName() : DataSourceNames.ofUrl(url.toString()))
                + (user == null ? "" : " as " + user);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return provider.getConnection();
    }

    @Override
    protected void release(Connection connection) throws SQLException {
        provider.closeConnection(connection);
    }
}
