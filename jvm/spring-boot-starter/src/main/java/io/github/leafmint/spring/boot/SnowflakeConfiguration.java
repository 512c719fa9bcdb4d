package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeGeneratorBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Declares the snowflake generator, if {@code leafmint.snowflake} has a URL or is enabled.
 *
 * <p>A data source alone does not suffice: worker ids are few, and all processes of a namespace must agree on a layout.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnSnowflake.class)
class SnowflakeConfiguration {
    /** The name of the bean. */
    static final String GENERATOR = "leafmintSnowflakeGenerator";

    @Bean(GENERATOR)
    @ConditionalOnMissingBean(SnowflakeGenerator.class)
    SnowflakeGenerator leafmintSnowflakeGenerator(
            LeafmintProperties properties,
            ObjectProvider<LeafmintConnectionDetails> details,
            ObjectProvider<CredentialsSupplier> credentials,
            ObjectProvider<SnowflakeGeneratorBuilderCustomizer> customizers) {
        LeafmintProperties.Snowflake snowflake = properties.snowflake();
        LeafmintConnectionDetails connection = SnowflakeConnection.of(snowflake, details);
        SnowflakeGeneratorBuilder builder = SnowflakeBuilders.of(snowflake, connection, credentials.getIfAvailable());
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        // Only Spring closes it, after the web server has drained.
        return builder.closeAtExit(false).open();
    }
}
