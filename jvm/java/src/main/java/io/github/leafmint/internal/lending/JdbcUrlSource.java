package io.github.leafmint.internal.lending;

import io.github.leafmint.Credentials;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.InvalidConfigException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connections of a driver, which reads its own URL. */
public final class JdbcUrlSource implements ConnectionSource {
    /** The options that the driver has, not the core. */
    public static final Set<String> ACCOUNT = Set.of("username", "password");

    private final String url;
    private final Driver driver;
    private final @Nullable Object user;
    private final @Nullable Object password;
    private final @Nullable CredentialsSupplier supplier;

    /**
     * Finds the driver of a URL.
     *
     * @param options those of the builder
     * @throws InvalidConfigException if no driver knows it, or it does not lead to one database
     */
    public JdbcUrlSource(String url, Map<String, Object> options, @Nullable CredentialsSupplier supplier) {
        ShardingSphere.refuse(url);
        this.url = url;
        this.supplier = supplier;
        user = options.get("username");
        password = options.get("password");
        if (supplier != null && (user != null || password != null)) {
            throw new InvalidConfigException("credentials cannot be combined with user and password");
        }
        try {
            driver = DriverManager.getDriver(url);
        } catch (SQLException none) {
            var failure = new InvalidConfigException("no JDBC driver on the class path knows "
                    + DataSourceNames.ofUrl(url) + ": add the driver of this database, or pass a DataSource");
            failure.initCause(none);
            throw failure;
        }
    }

    /** Returns whether a URL is one that drivers read. */
    public static boolean isFor(String url) {
        return url.regionMatches(true, 0, "jdbc:", 0, "jdbc:".length());
    }

    @Override
    public String name() {
        String known = user == null ? "" : " as " + user;
        return DataSourceNames.ofUrl(url) + known;
    }

    @Override
    public ClassLoader loader() {
        return driver.getClass().getClassLoader();
    }

    @Override
    public LentConnection connect() throws Exception {
        return JdbcConnection.of(driver.connect(url, properties()), false, Connection::close);
    }

    private Properties properties() throws Exception {
        var properties = new Properties();
        Credentials supplied = supplier == null ? null : supplier.get();
        put(properties, "user", supplied == null ? user : supplied.username());
        put(properties, "password", supplied == null ? password : supplied.password());
        return properties;
    }

    private static void put(Properties properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.setProperty(name, value.toString());
        }
    }

    @Override
    public Ran.Failed describe(Throwable failure) {
        return DriverFailure.ofConnecting(failure);
    }
}
