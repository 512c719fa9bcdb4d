package start;

import java.net.URI;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Takes one number of a sequence by JDBC. */
final class FirstOfSequence {
    private FirstOfSequence() {}

    public static void main(String[] arguments) throws SQLException {
        var url = URI.create(arguments[0]);
        String[] account = url.getUserInfo().split(":");
        String jdbc = "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath();
        try (var connection = DriverManager.getConnection(jdbc, account[0], account[1]);
                var statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE IF NOT EXISTS start_ids");
            statement.executeQuery("SELECT nextval('start_ids')").next();
        }
    }
}
