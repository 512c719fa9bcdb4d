package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An account of the tests' database whose password rotates, dropped at the end of its test.
 *
 * <p>Needs a server: set the environment variable LEAFMINT_TEST_MYSQL to its URL, for example
 * mysql://root@127.0.0.1:3306/leafmint.
 */
final class Account implements AutoCloseable {
    private static final String URL = System.getenv("LEAFMINT_TEST_MYSQL");

    final String name;
    private String password;
    private int rotations;

    /** Makes an account. */
    Account() throws Exception {
        this("account_" + UUID.randomUUID().toString().substring(0, 8), "s3ntinel-0");
        assertNotNull(URL, "set LEAFMINT_TEST_MYSQL to the URL of a MySQL or MariaDB database that tests may write to");
        sql("CREATE USER '" + name + "'@'%' IDENTIFIED BY '" + password + "'; GRANT ALL ON *.* TO '" + name + "'@'%'");
    }

    /** Describes an account that another process made. */
    Account(String name, String password) {
        this.name = name;
        this.password = password;
    }

    /** Returns the URL of the database, without credentials. */
    String url() {
        return URL.replaceFirst("//[^/]*@", "//");
    }

    /** Returns what logs in now. */
    synchronized Credentials current() {
        return new Credentials(name, password);
    }

    /** Changes the password, and cuts the sessions that logged in with the old one. */
    synchronized void rotate() throws Exception {
        rotations++;
        password = "s3ntinel-" + rotations;
        sql("ALTER USER '" + name + "'@'%' IDENTIFIED BY '" + password + "'; KILL USER '" + name + "'");
    }

    private static void sql(String statements) throws Exception {
        var server = URI.create(URL.replaceFirst("^jdbc:", ""));
        String[] login = (server.getUserInfo() + ":").split(":", -1);
        var command = new ArrayList<>(List.of("mariadb", "--no-defaults", "--user=" + login[0]));
        command.addAll(List.of("--password=" + login[1], "--host=" + server.getHost(), "--port=" + server.getPort()));
        command.addAll(List.of("--execute", statements));
        JavaProcess client = JavaProcess.execute(command);
        assertEquals(0, client.status(), client.output());
    }

    @Override
    public void close() throws Exception {
        sql("KILL USER '" + name + "'; DROP USER '" + name + "'@'%'");
    }
}
