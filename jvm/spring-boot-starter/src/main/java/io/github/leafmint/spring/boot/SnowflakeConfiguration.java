package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Declares the snowflake generator, if {@code leafmint.snowflake} has a URL or a data source, or is enabled.
 *
 * <p>A data source alone does not suffice: worker ids are few, and all processes of a namespace must agree on a layout.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(SnowflakeConfiguration.OnSnowflake.class)
class SnowflakeConfiguration {
    /** The name of the bean. */
    static final String GENERATOR = "leafmintSnowflakeGenerator";

    @Bean(GENERATOR)
    @ConditionalOnMissingBean(SnowflakeGenerator.class)
    SnowflakeGenerator leafmintSnowflakeGenerator(
            LeafmintProperties properties,
            GeneratorSources sources,
            ObjectProvider<CredentialsSupplier> credentials,
            ObjectProvider<SnowflakeGeneratorBuilderCustomizer> customizers) {
        return SnowflakeOpening.open(
                properties.snowflake(),
                sources.ofSnowflakes(),
                credentials.getIfAvailable(),
                customizers.orderedStream().toList());
    }

    /** Matches if {@code leafmint.snowflake.enabled} is true, or not set although a database is named. */
    static class OnSnowflake extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            boolean isNamed = StringUtils.hasText(environment.getProperty("leafmint.snowflake.url"))
                    || StringUtils.hasText(environment.getProperty("leafmint.snowflake.data-source"));
            boolean enabled = environment.getProperty("leafmint.snowflake.enabled", Boolean.class, isNamed);
            ConditionMessage.Builder message = ConditionMessage.forCondition("leafmint.snowflake");
            return enabled
                    ? ConditionOutcome.match(message.because(isNamed ? "names a database" : "is enabled"))
                    : ConditionOutcome.noMatch(message.because("names no database, or is not enabled"));
        }
    }
}
