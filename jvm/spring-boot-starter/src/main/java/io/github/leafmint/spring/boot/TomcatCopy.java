package io.github.leafmint.spring.boot;

import io.github.leafmint.internal.lending.EvictingPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.tomcat.jdbc.pool.PoolConfiguration;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.apache.tomcat.jdbc.pool.PooledConnection;
import org.springframework.beans.BeanUtils;

/** A second pool of Tomcat that connects as the application's does, with the account that it has at that time. */
final class TomcatCopy extends org.apache.tomcat.jdbc.pool.DataSource implements AutoCloseable, EvictingPool {
    /** As many as leafmint may ask for at most, with those whose driver hangs. */
    private static final int MOST_CONNECTIONS = 16;

    private TomcatCopy(PoolConfiguration configuration) {
        super(configuration);
    }

    static boolean canCopy(DataSource original) {
        return original.getClass() == org.apache.tomcat.jdbc.pool.DataSource.class;
    }

    static DataSource of(DataSource original, String name) {
        PoolConfiguration configured = ((org.apache.tomcat.jdbc.pool.DataSource) original).getPoolProperties();
        var copy = new LiveAccount(configured);
        BeanUtils.copyProperties(configured, copy);
        var properties = new Properties();
        properties.putAll(configured.getDbProperties());
        copy.setDbProperties(properties);
        copy.setName(name + "-leafmint");
        copy.setInitialSize(0);
        copy.setMinIdle(0);
        copy.setMaxIdle(MOST_CONNECTIONS);
        copy.setMaxActive(MOST_CONNECTIONS);
        // A generator keeps its connections, which is no leak, and no figure of the application's pool.
        copy.setRemoveAbandoned(false);
        copy.setSuspectTimeout(0);
        copy.setJmxEnabled(false);
        return new TomcatCopy(copy);
    }

    /** Earlier versions lend a connection again although it was aborted. */
    @Override
    public void evictConnection(Connection connection) {
        try {
            connection.unwrap(PooledConnection.class).setDiscarded(true);
        } catch (SQLException failure) {
            // Later versions have dropped it already.
        }
    }

    private static final class LiveAccount extends PoolProperties {
        private static final long serialVersionUID = 1L;

        private final transient PoolConfiguration original;

        LiveAccount(PoolConfiguration original) {
            this.original = original;
        }

        @Override
        public String getUsername() {
            return original.getUsername();
        }

        @Override
        public String getPassword() {
            return original.getPassword();
        }
    }
}
