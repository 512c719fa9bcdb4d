package io.github.leafmint.spring.boot.persistence;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The properties of an application with a database of its own on the server that LEAFMINT_TEST_MYSQL names. */
public final class TestDatabase {
    /** The property with a key of typed ids. */
    public static final String KEYS =
            "leafmint.id-keys=lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    private static final URI SERVER =
            URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));

    private TestDatabase() {}

    /** Returns the properties: rows are on the server, and each application's ids start at 1. */
    public static String[] properties(String database) {
        return with("spring.datasource", "jdbc:mariadb", database);
    }

    /** Returns the properties of an application with R2DBC, whose driver creates no database: it is the server's. */
    public static String[] reactiveProperties() {
        return with("spring.r2dbc", "r2dbc:mariadb", SERVER.getPath().substring(1));
    }

    private static String[] with(String prefix, String protocol, String database) {
        String[] account = SERVER.getUserInfo().split(":", 2);
        String server = protocol + "://" + SERVER.getHost() + ":" + SERVER.getPort();
        var connection = List.of(
                prefix + ".url=" + server + "/" + database + "?createDatabaseIfNotExist=true",
                prefix + ".username=" + account[0],
                prefix + ".password=" + (account.length > 1 ? account[1] : ""));
        var others = List.of(
                "leafmint.segment.url=memory://" + UUID.randomUUID(),
                "leafmint.snowflake.url=local:target/workers-" + database);
        return Stream.concat(connection.stream(), others.stream()).toArray(String[]::new);
    }
}
