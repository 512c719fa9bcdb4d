package io.github.leafmint;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.net.URI;

/** The drivers of R2DBC, with the servers that LEAFMINT_TEST_MYSQL and LEAFMINT_TEST_POSTGRES name. */
enum R2dbcDrivers {
    MARIADB(Databases.MARIADB, "mariadb", "SET innodb_lock_wait_timeout = 1"),
    MYSQL(Databases.MARIADB, "mysql", "SET innodb_lock_wait_timeout = 1"),
    POSTGRES(Databases.POSTGRES, "postgresql", "SET lock_timeout = '300ms'");

    final Databases database;
    final String lockTimeout;
    private final String protocol;

    R2dbcDrivers(Databases database, String protocol, String lockTimeout) {
        this.database = database;
        this.protocol = protocol;
        this.lockTimeout = lockTimeout;
    }

    ConnectionFactory connections() {
        URI server = URI.create(database.url());
        return ConnectionFactories.get(ConnectionFactoryOptions.builder()
                .option(ConnectionFactoryOptions.DRIVER, protocol)
                .option(ConnectionFactoryOptions.HOST, server.getHost())
                .option(ConnectionFactoryOptions.PORT, server.getPort())
                .option(ConnectionFactoryOptions.USER, database.user())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .option(ConnectionFactoryOptions.DATABASE, server.getPath().substring(1))
                .build());
    }
}
