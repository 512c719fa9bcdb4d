package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Passes the generators to the entity manager factory that Spring Boot configures, for entities with
 * {@link io.github.leafmint.persistence.LeafmintId} or {@link io.github.leafmint.persistence.SnowflakeId}.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id
 *     @LeafmintId("order")
 *     private Long id;
 * }
 * }</pre>
 */
@AutoConfiguration(
        afterName = "io.github.leafmint.spring.boot.LeafmintAutoConfiguration",
        beforeName = {
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnClass(name = "org.hibernate.annotations.IdGeneratorType")
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
@ImportRuntimeHints(HibernateRuntimeHints.class)
@Import({LeafmintHibernateAutoConfiguration.Boot3.class, LeafmintHibernateAutoConfiguration.Boot4.class})
public class LeafmintHibernateAutoConfiguration {
    LeafmintHibernateAutoConfiguration() {}

    @Bean
    GeneratorSettings leafmintGeneratorSettings(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            Environment environment) {
        boolean deferred = environment.getProperty("spring.jpa.defer-datasource-initialization", boolean.class, false);
        return new GeneratorSettings(segments, snowflakes, deferred);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.autoconfigure.orm.jpa.HibernatePropertiesCustomizer")
    static class Boot3 {
        @Bean
        org.springframework.boot.autoconfigure.orm.jpa.HibernatePropertiesCustomizer leafmintHibernateCustomizer(
                GeneratorSettings settings) {
            return settings::addTo;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer")
    static class Boot4 {
        @Bean
        org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer leafmintHibernateCustomizer(
                GeneratorSettings settings) {
            return settings::addTo;
        }
    }
}
