package io.github.leafmint.gallery;

import static io.github.leafmint.gallery.Proof.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.OrderId;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** What JDBC drivers make of typed ids that a program binds in place of their numbers. */
@Gallery("Typed ids in Java")
@Timeout(60)
class TypedIdDriversTest {
    /** It would bind the serialised bytes, which MySQL takes for 0: the statement would delete each row. */
    @Row(
            library = "mysql-connector-j",
            what = "`setObject(1, id)`",
            outcome = "loud",
            meaning = "`SQLException`; bind `id.value()`",
            match = "OrderId is not a parameter of JDBC: bind value")
    void mysql() throws Exception {
        String url = url("LEAFMINT_TEST_MYSQL", "jdbc:mysql:");
        String secure = "&sslMode=DISABLED&allowPublicKeyRetrieval=true&useServerPrepStmts=";
        refused(() -> bind(url + secure + true), "OrderId is not a parameter of JDBC");
        bind(url + secure + false);
    }

    /** No statement takes the bytes of an object for a number: applications store carts and jobs so. */
    @Row(
            library = "mysql-connector-j",
            what = "`setObject(1, cart)` of an object or record that holds ids",
            outcome = "right",
            meaning = "the ids come back")
    void objectsWithIds() throws Exception {
        String url = url("LEAFMINT_TEST_MYSQL", "jdbc:mysql:") + "&sslMode=DISABLED&allowPublicKeyRetrieval=true";
        for (Object stored : List.of(Order.of(42), new Picked(new ArrayList<>(List.of(new OrderId(42)))))) {
            for (boolean onServer : new boolean[] {true, false}) {
                assertEquals(stored, storedAndRead(url + "&useServerPrepStmts=" + onServer, stored));
            }
        }
        refused(() -> storedAndRead(url, new ArrayList<>(List.of(new OrderId(42)))), "not a parameter of JDBC");
    }

    private record Picked(ArrayList<OrderId> ids) implements Serializable {}

    private static Object storedAndRead(String url, Object stored) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.prepareStatement("SELECT CAST(? AS BINARY)")) {
            statement.setObject(1, stored);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new ObjectInputStream(row.getBinaryStream(1)).readObject();
            }
        }
    }

    @Row(
            library = "mariadb-java-client",
            what = "`setObject(1, id)`",
            outcome = "loud",
            meaning = "`SQLException` names the class",
            match = "Type io.github.leafmint.OrderId not supported type")
    void mariadb() throws Exception {
        bind(url("LEAFMINT_TEST_MYSQL", "jdbc:mariadb:"));
    }

    @Row(
            library = "postgresql",
            what = "`setObject(1, id)`",
            outcome = "loud",
            meaning = "`PSQLException` names the class",
            match = "an instance of io.github.leafmint.OrderId")
    void postgresql() throws Exception {
        bind(url("LEAFMINT_TEST_POSTGRES", "jdbc:postgresql:"));
    }

    static String url(String variable, String scheme) {
        URI server = URI.create(System.getenv(variable));
        String[] account = server.getUserInfo().split(":", 2);
        return scheme + "//" + server.getHost() + ":" + server.getPort() + server.getPath() + "?user=" + account[0]
                + "&password=" + (account.length > 1 ? account[1] : "");
    }

    private static void bind(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.prepareStatement("SELECT 1 FROM (SELECT 42 AS id) orders WHERE id <> ?")) {
            statement.setObject(1, new OrderId(42));
            statement.executeQuery();
        }
    }
}
