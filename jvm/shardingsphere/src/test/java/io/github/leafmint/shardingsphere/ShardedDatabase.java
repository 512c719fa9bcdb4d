package io.github.leafmint.shardingsphere;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;
import org.apache.shardingsphere.driver.jdbc.core.datasource.ShardingSphereDataSource;

/** A database of its own on the test server, behind ShardingSphere and without it. */
final class ShardedDatabase implements AutoCloseable {
    private static final String NAME = "sharded_" + UUID.randomUUID().toString().replace("-", "");

    private final TestServer server = TestServer.fromEnvironment();
    private final DataSource sharded;
    private final Connection plain;
    private final String name;

    /**
     * @param rules the rules of ShardingSphere as YAML; {@code STORE} in it stands for leafmint's URL of the database
     */
    ShardedDatabase(String rules) throws Exception {
        name = NAME + "_" + System.nanoTime();
        try (Connection admin = server.connect("")) {
            admin.createStatement().execute("CREATE DATABASE " + name);
        }
        plain = server.connect(name);
        sharded = YamlShardingSphereDataSourceFactory.createDataSource(
                (dataSource() + rules.replace("STORE", server.leafmintUrl(name))).getBytes());
    }

    private String dataSource() {
        return """
                dataSources:
                  ds:
                    dataSourceClassName: com.zaxxer.hikari.HikariDataSource
                    driverClassName: org.mariadb.jdbc.Driver
                    jdbcUrl: "%s"
                    username: "%s"
                    password: "%s"
                    maximumPoolSize: 2
                """.formatted(server.jdbcUrl(name), server.user(), server.password());
    }

    DataSource sharded() {
        return sharded;
    }

    /** Returns a pool of connections that ShardingSphere does not see. */
    HikariDataSource pool() {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl(name));
        pool.setUsername(server.user());
        pool.setPassword(server.password());
        return pool;
    }

    Connection connect() throws SQLException {
        return sharded.getConnection();
    }

    /** Returns the first column of a query that ShardingSphere does not see. */
    List<Long> direct(String sql) throws SQLException {
        return numbers(plain, sql);
    }

    List<Long> query(String sql) throws SQLException {
        try (Connection connection = connect()) {
            return numbers(connection, sql);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect()) {
            connection.createStatement().execute(sql);
        }
    }

    /** Returns the tables that ShardingSphere sends a query to: the query fails if one of these is away. */
    List<String> tablesOf(String sql) throws SQLException {
        var used = new ArrayList<String>();
        for (String table : texts("SHOW TABLES LIKE 't\\_order\\_%'")) {
            plain.createStatement().execute("RENAME TABLE " + table + " TO away");
            try {
                query(sql);
            } catch (SQLException missing) {
                used.add(table);
            } finally {
                plain.createStatement().execute("RENAME TABLE away TO " + table);
            }
        }
        return used;
    }

    private List<String> texts(String sql) throws SQLException {
        var texts = new ArrayList<String>();
        try (Statement statement = plain.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private static List<Long> numbers(Connection connection, String sql) throws SQLException {
        var numbers = new ArrayList<Long>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }

    @Override
    public void close() throws SQLException {
        try (plain;
                var closed = (ShardingSphereDataSource) sharded) {
            plain.createStatement().execute("DROP DATABASE " + name);
        }
    }
}
