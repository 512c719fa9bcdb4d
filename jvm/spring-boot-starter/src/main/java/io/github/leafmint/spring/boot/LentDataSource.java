package io.github.leafmint.spring.boot;

import io.github.leafmint.internal.lending.KnownDataSource;
import io.github.leafmint.internal.lending.ShardingSphere;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.ClassUtils;

/**
 * A data source as a generator or an audit uses it: connections of its own, made as the application's pool makes them,
 * or else those of the application.
 *
 * <p>Only data sources of a class that is known are copied. A subclass or a wrapper may do more than the copy would, so
 * that its connections are borrowed.
 *
 * @param dataSource where connections come from
 * @param copy what is to be closed after its user, or null
 * @param isEmbedded whether the database is in this process's memory
 */
record LentDataSource(DataSource dataSource, AutoCloseable copy, boolean isEmbedded) implements DisposableBean {
    static final boolean SPRING_JDBC = isPresent("org.springframework.jdbc.datasource.DriverManagerDataSource");
    static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");
    private static final boolean TOMCAT = isPresent("org.apache.tomcat.jdbc.pool.DataSource");
    private static final boolean DRUID = isPresent("com.alibaba.druid.pool.DruidDataSource");

    private static final AtomicLong EMBEDDED = new AtomicLong();

    static LentDataSource of(NamedDataSource source) {
        DataSource original = source.dataSource();
        if (ShardingSphere.isBehind(original)) {
            throw new UnusableDataSourceException(
                    "the " + source + " is ShardingSphere's, which chooses a database for each statement",
                    source.property());
        }
        DataSource own = ownOf(source);
        boolean isEmbedded = EmbeddedDatabases.has(original);
        // Two of one name may be two databases, also if the second has the URL of one that was closed.
        String name =
                isEmbedded ? source + ", database " + EMBEDDED.incrementAndGet() + " in memory" : source.toString();
        return new LentDataSource(
                own == null ? KnownDataSource.of(original, name, false) : KnownDataSource.ofCopy(own, original, name),
                own != original && own instanceof AutoCloseable copy ? copy : null,
                isEmbedded);
    }

    @Override
    public void destroy() throws Exception {
        if (copy != null) {
            copy.close();
        }
    }

    /** Returns null if the connections must be borrowed. */
    private static DataSource ownOf(NamedDataSource source) {
        DataSource original = source.dataSource();
        if (HIKARI && HikariCopy.canCopy(original)) {
            return HikariCopy.of(original, source.name());
        }
        if (TOMCAT && TomcatCopy.canCopy(original)) {
            return TomcatCopy.of(original, source.name());
        }
        if (SPRING_JDBC && DRUID && DruidConnections.canMake(original)) {
            return DruidConnections.of(original);
        }
        return SPRING_JDBC && Unpooled.is(source) ? original : null;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, LentDataSource.class.getClassLoader());
    }

    /** Data sources of Spring that make a connection for each call: nothing else uses it. */
    private static final class Unpooled {
        private Unpooled() {}

        static boolean is(NamedDataSource source) {
            DataSource original = source.dataSource();
            if (original instanceof SingleConnectionDataSource) {
                throw new UnusableDataSourceException(
                        "the " + source
                                + " has one connection for all threads: leafmint would commit your transactions",
                        source.property());
            }
            return original.getClass() == DriverManagerDataSource.class
                    || original.getClass() == SimpleDriverDataSource.class;
        }
    }
}
