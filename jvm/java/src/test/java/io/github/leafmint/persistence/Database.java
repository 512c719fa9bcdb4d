package io.github.leafmint.persistence;

import java.net.URI;
import java.util.Map;
import java.util.Objects;

/** The settings with which Hibernate uses the server that LEAFMINT_TEST_MYSQL names, in a database that it creates. */
final class Database {
    private Database() {}

    static Map<String, Object> settings(String database) {
        var server = URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));
        String[] account = server.getUserInfo().split(":", 2);
        return Map.of(
                "jakarta.persistence.jdbc.url",
                "jdbc:mariadb://" + server.getHost() + ":" + server.getPort() + "/" + database
                        + "?createDatabaseIfNotExist=true",
                "jakarta.persistence.jdbc.user",
                account[0],
                "jakarta.persistence.jdbc.password",
                account.length > 1 ? account[1] : "",
                "hibernate.hbm2ddl.auto",
                "create-drop",
                "hibernate.jdbc.batch_size",
                "100");
    }
}
