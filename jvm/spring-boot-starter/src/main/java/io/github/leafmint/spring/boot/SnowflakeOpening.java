package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeGeneratorBuilder;
import org.springframework.beans.factory.ObjectProvider;

/** Opens the snowflake generator that the properties ask for. */
final class SnowflakeOpening {
    private SnowflakeOpening() {}

    static SnowflakeGenerator open(
            LeafmintProperties.Snowflake snowflake,
            ObjectProvider<LeafmintConnectionDetails> segment,
            CredentialsSupplier credentials,
            Iterable<SnowflakeGeneratorBuilderCustomizer> customizers) {
        SnowflakeGeneratorBuilder builder = builderOf(snowflake, connectionOf(snowflake, segment), credentials);
        for (SnowflakeGeneratorBuilderCustomizer customizer : customizers) {
            customizer.customize(builder);
        }
        // Only Spring closes it, after the web server has drained.
        return builder.closeAtExit(false).open();
    }

    /**
     * Returns the URL of the properties with their account, or else the connection of the segment generator.
     *
     * <p>Without either it throws what an injected bean that is missing would: an analyzer explains that.
     */
    private static LeafmintConnectionDetails connectionOf(
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

    /** Returns a builder with the options that are set. {@code credentials} replaces user and password unless null. */
    static SnowflakeGeneratorBuilder builderOf(
            LeafmintProperties.Snowflake snowflake,
            LeafmintConnectionDetails details,
            CredentialsSupplier credentials) {
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(details.url());
        var options = new OptionSetter(builder::option);
        if (credentials == null) {
            options.set("user", details.username()).set("password", details.password());
        } else {
            builder.credentials(credentials);
        }
        snowflake.passTo(options);
        return builder;
    }
}
