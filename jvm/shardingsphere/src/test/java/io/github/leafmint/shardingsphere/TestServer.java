package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The server of the environment variable LEAFMINT_TEST_MYSQL, for example mysql://root@127.0.0.1:3306/leafmint.
 *
 * @param address host and port
 */
record TestServer(String address, String user, String password) {
    static TestServer fromEnvironment() {
        String url = System.getenv("LEAFMINT_TEST_MYSQL");
        assertNotNull(url, "set LEAFMINT_TEST_MYSQL to the URL of a MySQL or MariaDB database that tests may write to");
        var uri = URI.create(url);
        String[] account = uri.getUserInfo().split(":", 2);
        return new TestServer(
                uri.getHost() + ":" + (uri.getPort() < 0 ? 3306 : uri.getPort()),
                account[0],
                account.length > 1 ? account[1] : "");
    }

    String jdbcUrl(String database) {
        return "jdbc:mariadb://" + address + "/" + database;
    }

    String leafmintUrl(String database) {
        return "mysql://" + user + (password.isEmpty() ? "" : ":" + password) + "@" + address + "/" + database;
    }

    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), user, password);
    }
}
