package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeGeneratorBuilder;

/** Opens the snowflake generator that the properties ask for. */
final class SnowflakeOpening {
    private SnowflakeOpening() {}

    static SnowflakeGenerator open(
            LeafmintProperties.Snowflake snowflake,
            Source source,
            CredentialsSupplier credentials,
            Iterable<SnowflakeGeneratorBuilderCustomizer> customizers) {
        SnowflakeGeneratorBuilder builder = builderOf(snowflake, source, credentials);
        for (SnowflakeGeneratorBuilderCustomizer customizer : customizers) {
            customizer.customize(builder);
        }
        // Only Spring closes it, after the web server has drained.
        return builder.closeAtExit(false).open();
    }

    /** Returns a builder with the options that are set. */
    static SnowflakeGeneratorBuilder builderOf(
            LeafmintProperties.Snowflake snowflake, Source source, CredentialsSupplier credentials) {
        SnowflakeGeneratorBuilder builder = source.snowflakes(credentials);
        snowflake.passTo(new OptionSetter(builder::option));
        return builder;
    }
}
