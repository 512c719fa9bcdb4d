package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Declares what the integrations with MyBatis and Spring Data share. They are there without a generator, too: what is
 * annotated is served or refused, and never passed over.
 *
 * <pre>{@code
 * spring.autoconfigure.exclude: io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration
 * }</pre>
 */
@AutoConfiguration(afterName = "io.github.leafmint.spring.boot.LeafmintAutoConfiguration")
public class LeafmintPersistenceAutoConfiguration {
    LeafmintPersistenceAutoConfiguration() {}

    @Bean
    IdSources leafmintIdSources(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            BeanFactory beans) {
        return new IdSources(segments, snowflakes, beans);
    }
}
