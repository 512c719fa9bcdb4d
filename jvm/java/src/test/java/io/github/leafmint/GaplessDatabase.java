package io.github.leafmint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The drivers of JDBC with which numbers without gaps are taken. */
enum GaplessDatabase {
    MARIADB("mysql", Databases.MARIADB),
    MYSQL("mysql", Databases.MYSQL),
    POSTGRES("postgresql", Databases.POSTGRES),
    SQLITE("sqlite", null);

    /** The property that names the file of SQLite. */
    static final String FILE = "gapless.sqlite";

    private final String dialect;
    private final Databases server;

    GaplessDatabase(String dialect, Databases server) {
        this.dialect = dialect;
        this.server = server;
    }

    Connection connect() throws SQLException {
        return server == null
                ? DriverManager.getConnection("jdbc:sqlite:" + File.PATH + "?synchronous=OFF")
                : server.connect();
    }

    /** Returns the URL for leafmint's own drivers. */
    String url() {
        return server == null ? "sqlite:///" + File.PATH : server.url();
    }

    /** Returns a connection in a transaction, in a database with the tables. */
    Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    void createTables() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String table : Leafmint.schemaSql(dialect).split(";\n")) {
                statement.execute(table);
            }
            statement.execute("CREATE TABLE IF NOT EXISTS gapless_documents (series varchar(128), number bigint)");
        }
    }

    /** Returns the file of SQLite. */
    static String file() {
        return File.PATH;
    }

    private static final class File {
        static final String PATH = System.getProperty(FILE, create());

        private static String create() {
            try {
                Path path = Files.createTempFile("gapless", ".db");
                path.toFile().deleteOnExit();
                return path.toString();
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
