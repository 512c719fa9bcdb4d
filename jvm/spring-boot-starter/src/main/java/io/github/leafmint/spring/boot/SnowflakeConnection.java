package io.github.leafmint.spring.boot;

import org.springframework.beans.factory.ObjectProvider;

/** Finds out where the snowflake generator connects to. */
final class SnowflakeConnection {
    private SnowflakeConnection() {}

    /**
     * Returns the URL of the properties with their account, or else the connection of the segment generator.
     *
     * <p>Without either it throws what an injected bean that is missing would: an analyzer explains that.
     */
    static LeafmintConnectionDetails of(
            LeafmintProperties.Snowflake snowflake, ObjectProvider<LeafmintConnectionDetails> segment) {
        if (snowflake.url() != null) {
            return LeafmintConnectionDetails.of(snowflake.url(), snowflake.username(), snowflake.password());
        }
        LeafmintConnectionDetails shared = segment.getObject();
        return LeafmintConnectionDetails.of(
                shared.url(),
                snowflake.username() != null ? snowflake.username() : shared.username(),
                snowflake.password() != null ? snowflake.password() : shared.password());
    }
}
