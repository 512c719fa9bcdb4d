package io.github.leafmint.spring.boot;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The database that leafmint connects to.
 *
 * <p>The starter makes this bean from {@code leafmint.segment.url}, or else from the connection details of the data
 * source that Spring Boot configured. leafmint opens connections of its own with it. An application with data sources
 * of its own can declare the bean instead:
 *
 * <pre>{@code
 * @Bean
 * LeafmintConnectionDetails leafmintConnectionDetails(ShardProperties shards) {
 *     return LeafmintConnectionDetails.of(shards.first().url(), "app", shards.first().password());
 * }
 * }</pre>
 */
@NullMarked
public interface LeafmintConnectionDetails extends ConnectionDetails {
    /**
     * Returns the URL of the database, in leafmint's form or as for JDBC.
     *
     * @return for example {@code jdbc:mysql://db1,db2/shop}
     */
    String url();

    /**
     * Returns the account of the database.
     *
     * @return the account, or {@code null} if the URL names it or none is needed
     */
    default @Nullable String username() {
        return null;
    }

    /**
     * Returns the password of the account.
     *
     * @return the password, or {@code null} if the URL has it or none is needed
     */
    default @Nullable String password() {
        return null;
    }

    /**
     * Returns connection details with these values.
     *
     * @param url the URL of the database
     * @param username the account, or {@code null}
     * @param password its password, or {@code null}
     * @return the connection details
     */
    static LeafmintConnectionDetails of(String url, @Nullable String username, @Nullable String password) {
        return new LeafmintConnectionDetails() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public @Nullable String username() {
                return username;
            }

            @Override
            public @Nullable String password() {
                return password;
            }

            /** Does not show the password. */
            @Override
            public String toString() {
                return "LeafmintConnectionDetails";
            }
        };
    }
}
