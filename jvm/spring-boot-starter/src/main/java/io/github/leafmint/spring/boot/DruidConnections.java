package io.github.leafmint.spring.boot;

import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.proxy.jdbc.ConnectionProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections that Druid makes as it does for its own pool, which does not count or close them.
 *
 * <p>Its filters see how they are opened, but not their statements: the firewall knows none of leafmint's.
 */
final class DruidConnections extends DelegatingDataSource {
    /** Druid's own, and those of its starters, which only bind properties. */
    private static final Set<String> KNOWN = Set.of(
            "com.alibaba.druid.pool.DruidDataSource",
            "com.alibaba.druid.spring.boot.autoconfigure.DruidDataSourceWrapper",
            "com.alibaba.druid.spring.boot3.autoconfigure.DruidDataSourceWrapper");

    private final DruidDataSource original;

    private DruidConnections(DruidDataSource original) {
        super(original);
        this.original = original;
    }

    static boolean canMake(DataSource original) {
        return KNOWN.contains(original.getClass().getName());
    }

    static DataSource of(DataSource original) {
        return new DruidConnections((DruidDataSource) original);
    }

    @Override
    public Connection getConnection() throws SQLException {
        original.init();
        Connection made = original.createPhysicalConnection().getPhysicalConnection();
        return made instanceof ConnectionProxy filtered ? filtered.getRawObject() : made;
    }
}
