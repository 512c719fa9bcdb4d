package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.persistence.HibernateSettings;
import io.github.leafmint.persistence.IdGeneratorsContributor;
import io.github.leafmint.persistence.LeafmintIdGenerator;
import io.github.leafmint.persistence.SnowflakeIdGenerator;
import io.github.leafmint.persistence.TypedIdContributor;
import io.github.leafmint.persistence.TypedIdFinder;
import io.github.leafmint.persistence.UnsetIdsIntegrator;
import io.github.leafmint.spring.boot.persistence.SeriesBeans;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.MetadataSourcesContributor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.ServiceContributor;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

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
@ImportRuntimeHints(LeafmintHibernateAutoConfiguration.HibernateRuntimeHints.class)
@Import({LeafmintHibernateAutoConfiguration.Boot3.class, LeafmintHibernateAutoConfiguration.Boot4.class})
public class LeafmintHibernateAutoConfiguration {
    LeafmintHibernateAutoConfiguration() {}

    @Bean
    GeneratorSettings leafmintGeneratorSettings(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            BeanFactory beans,
            Environment environment) {
        boolean deferred = environment.getProperty("spring.jpa.defer-datasource-initialization", boolean.class, false);
        return new GeneratorSettings(segments, snowflakes, beans, deferred);
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

    /** The settings of Hibernate that hold the generators. */
    static class GeneratorSettings {
        private final ObjectProvider<SegmentGenerator> segments;
        private final ObjectProvider<SnowflakeGenerator> snowflakes;
        private final BeanFactory beans;
        private final boolean deferred;

        GeneratorSettings(
                ObjectProvider<SegmentGenerator> segments,
                ObjectProvider<SnowflakeGenerator> snowflakes,
                BeanFactory beans,
                boolean deferred) {
            this.segments = segments;
            this.snowflakes = snowflakes;
            this.beans = beans;
            this.deferred = deferred;
        }

        void addTo(Map<String, Object> settings) {
            add(settings, HibernateSettings.SEGMENT_GENERATOR, segments);
            add(settings, HibernateSettings.SNOWFLAKE_GENERATOR, snowflakes);
            Function<String, Series> series = name -> SeriesBeans.find(beans, name);
            settings.putIfAbsent(HibernateSettings.SERIES, series);
        }

        private void add(Map<String, Object> settings, String name, ObjectProvider<?> generator) {
            if (deferred) {
                // The database is initialised after Hibernate, and the generator after the database.
                settings.putIfAbsent(name, (Supplier<Object>) () -> onlyOrNone(generator));
                return;
            }
            // A generator that exists before the entity manager factory is closed after it.
            Object bean = generator.getIfUnique();
            if (bean != null) {
                settings.putIfAbsent(name, bean);
            } else if (generator.stream().findAny().isPresent()) {
                // Only an entity that needs it fails.
                settings.putIfAbsent(name, (Supplier<Object>) generator::getObject);
            }
        }

        /** Returns the only generator or the primary one, null if there is none; throws what names several. */
        private static Object onlyOrNone(ObjectProvider<?> generator) {
            return generator.stream().findAny().isPresent() ? generator.getObject() : null;
        }
    }

    /** Keeps in a native image what Hibernate makes by reflection. */
    static class HibernateRuntimeHints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, ClassLoader classLoader) {
            List.of(
                            LeafmintIdGenerator.class,
                            SnowflakeIdGenerator.class,
                            IdGeneratorsContributor.class,
                            TypedIdContributor.class,
                            TypedIdFinder.class,
                            UnsetIdsIntegrator.class)
                    .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
            // Its annotation names the finder.
            String annotatedPackage = TypedIdFinder.class.getPackageName() + ".package-info";
            hints.reflection().registerType(ClassUtils.resolveClassName(annotatedPackage, classLoader));
            List.of(
                            ServiceContributor.class,
                            MetadataSourcesContributor.class,
                            AdditionalMappingContributor.class,
                            Integrator.class)
                    .forEach(service -> hints.resources().registerPattern("META-INF/services/" + service.getName()));
        }
    }
}
