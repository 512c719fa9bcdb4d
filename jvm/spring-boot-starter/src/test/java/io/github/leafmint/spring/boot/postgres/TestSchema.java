package io.github.leafmint.spring.boot.postgres;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

/** A schema of its own on the server that LEAFMINT_TEST_POSTGRES names. */
public final class TestSchema {
    private static final URI SERVER =
            URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_POSTGRES"), "LEAFMINT_TEST_POSTGRES"));

    private final String name =
            "starter_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);

    String name() {
        return name;
    }

    /** Returns the properties of a data source that uses the schema. */
    public String[] dataSource() {
        return new String[] {
            "spring.datasource.url=" + url(),
            "spring.datasource.username=" + user(),
            "spring.datasource.password=" + password()
        };
    }

    /** Returns the properties of a connection factory that uses the schema. */
    public String[] connectionFactory() {
        return new String[] {
            "spring.r2dbc.url=r2dbc:postgresql://" + SERVER.getHost() + ":" + SERVER.getPort() + SERVER.getPath()
                    + "?schema=" + name,
            "spring.r2dbc.username=" + user(),
            "spring.r2dbc.password=" + password()
        };
    }

    String url() {
        return "jdbc:postgresql://" + SERVER.getHost() + ":" + SERVER.getPort() + SERVER.getPath() + "?currentSchema="
                + name + "&reWriteBatchedInserts=true";
    }

    String user() {
        return SERVER.getUserInfo().split(":", 2)[0];
    }

    String password() {
        String[] login = SERVER.getUserInfo().split(":", 2);
        return login.length > 1 ? login[1] : "";
    }

    public void create() {
        execute("CREATE SCHEMA " + name);
    }

    public void drop() {
        execute("DROP SCHEMA " + name + " CASCADE");
    }

    void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url(), user(), password())) {
            connection.createStatement().execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
