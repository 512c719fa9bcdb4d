package io.github.leafmint.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.leafmint.internal.lending.EvictingPool;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A second pool of HikariCP that connects as the application's does, with the account that it has at that time.
 *
 * <p>It opens nothing before the first connection is asked for, and then only what is in use.
 */
final class HikariCopy extends HikariDataSource implements EvictingPool {
    /** Databases that end with their connection, and that no other connection sees. */
    private static final Pattern PRIVATE = Pattern.compile("jdbc:h2:mem:(;.*)?|jdbc:sqlite:(:memory:.*)?");

    /** As many as leafmint may ask for at most, with those whose driver hangs. */
    private static final int MOST_CONNECTIONS = 16;

    /** Less than the default of connect_timeout: the pool knows why there is no connection. */
    private static final long LONGEST_WAIT = 2_500;

    private final HikariDataSource original;

    private HikariCopy(HikariDataSource original, String name) {
        this.original = original;
        original.copyStateTo(this);
        String pool = original.getPoolName();
        setPoolName((pool == null ? name : pool) + "-leafmint");
        setMinimumIdle(0);
        setMaximumPoolSize(MOST_CONNECTIONS);
        setConnectionTimeout(Math.min(getConnectionTimeout(), LONGEST_WAIT));
        // A server that is away is an error of SQL, and none of the pool's start.
        setInitializationFailTimeout(-1);
        // A generator keeps its connections, which is no leak, and no figure of the application's pool.
        setLeakDetectionThreshold(0);
        setAllowPoolSuspension(false);
        setRegisterMbeans(false);
        forgetFigures();
    }

    private void forgetFigures() {
        setHealthCheckRegistry(null);
        if (getMetricsTrackerFactory() != null) {
            setMetricsTrackerFactory(null);
        } else {
            setMetricRegistry(null);
        }
    }

    static boolean canCopy(DataSource original) {
        return original.getClass() == HikariDataSource.class && !isPrivate(((HikariDataSource) original).getJdbcUrl());
    }

    private static boolean isPrivate(String url) {
        return url != null && PRIVATE.matcher(url).matches();
    }

    static DataSource of(DataSource original, String name) {
        return new HikariCopy((HikariDataSource) original, name);
    }

    @Override
    public Credentials getCredentials() {
        return original.getCredentials();
    }
}
