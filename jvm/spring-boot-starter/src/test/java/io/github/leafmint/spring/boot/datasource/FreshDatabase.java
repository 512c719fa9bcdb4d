package io.github.leafmint.spring.boot.datasource;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** A database of its own on the server that LEAFMINT_TEST_MYSQL names, with an account of its own. */
final class FreshDatabase implements AutoCloseable {
    private static final URI SERVER =
            URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));
    private static final String PLACE = "jdbc:mariadb://" + SERVER.getHost() + ":" + SERVER.getPort() + "/";

    private final String name =
            "starter_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);

    FreshDatabase() {
        execute("CREATE DATABASE " + name);
        setPassword("s3cret");
    }

    String name() {
        return name;
    }

    String url() {
        return PLACE + name;
    }

    /** The account has the database's name. */
    void setPassword(String password) {
        execute("CREATE OR REPLACE USER " + name + "@'%' IDENTIFIED BY '" + password + "'");
        execute("GRANT ALL ON " + name + ".* TO " + name + "@'%'");
    }

    /** Returns the properties of a data source under a prefix. */
    String[] dataSource(String prefix) {
        return new String[] {
            prefix + ".url=" + url(), prefix + ".username=" + name, prefix + ".password=s3cret",
        };
    }

    /** Returns the values of the first column. */
    List<String> read(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            var values = new ArrayList<String>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Returns the tables of the database. */
    List<String> tables() {
        return read("SELECT table_name FROM information_schema.tables WHERE table_schema = '" + name + "'");
    }

    /** Returns the connections of the account. */
    List<String> connections() {
        return read("SELECT id FROM information_schema.processlist WHERE user = '" + name + "'");
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Connection connect() throws SQLException {
        String[] account = SERVER.getUserInfo().split(":", 2);
        return DriverManager.getConnection(PLACE, account[0], account.length > 1 ? account[1] : "");
    }

    @Override
    public void close() {
        execute("DROP DATABASE " + name);
        execute("DROP USER " + name + "@'%'");
    }
}
