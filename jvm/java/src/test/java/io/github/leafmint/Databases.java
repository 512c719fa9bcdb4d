package io.github.leafmint;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The servers that LEAFMINT_TEST_MYSQL and LEAFMINT_TEST_POSTGRES name, through the drivers of JDBC. */
public enum Databases {
    MARIADB("LEAFMINT_TEST_MYSQL", "mariadb"),
    MYSQL("LEAFMINT_TEST_MYSQL", "mysql"),
    POSTGRES("LEAFMINT_TEST_POSTGRES", "postgresql");

    private final String variable;
    private final String protocol;

    Databases(String variable, String protocol) {
        this.variable = variable;
        this.protocol = protocol;
    }

    /** Returns the URL of the database for leafmint's own drivers. */
    public String url() {
        return Objects.requireNonNull(System.getenv(variable), variable);
    }

    public String jdbcUrl() {
        URI server = URI.create(url());
        return "jdbc:" + protocol + "://" + server.getHost() + ":" + server.getPort() + server.getPath();
    }

    public String user() {
        return account()[0];
    }

    public String password() {
        return account().length > 1 ? account()[1] : "";
    }

    private String[] account() {
        return URI.create(url()).getUserInfo().split(":", 2);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Returns the settings of a pool of some connections. */
    public HikariConfig pool(int connections) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl());
        config.setUsername(user());
        config.setPassword(password());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        return config;
    }

    /** Opens a pool of two connections. */
    public HikariDataSource pool() {
        return new HikariDataSource(pool(2));
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
