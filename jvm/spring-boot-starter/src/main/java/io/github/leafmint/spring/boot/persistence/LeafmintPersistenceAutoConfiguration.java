package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.OnGenerator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Declares what the integrations with MyBatis and Spring Data share.
 *
 * <pre>{@code
 * spring.autoconfigure.exclude: io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration
 * }</pre>
 */
@AutoConfiguration(afterName = "io.github.leafmint.spring.boot.LeafmintAutoConfiguration")
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintPersistenceAutoConfiguration {
    /** The name of the bean that the integrations need: to look for it by its type would cost each of them more. */
    public static final String SOURCES = "leafmintIdSources";

    LeafmintPersistenceAutoConfiguration() {}

    @Bean(SOURCES)
    @Conditional(OnGenerator.class)
    IdSources leafmintIdSources(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            BeanFactory beans) {
        return new IdSources(segments, snowflakes, beans);
    }
}
