package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.persistence.HibernateSettings;
import io.github.leafmint.persistence.IdGeneratorsContributor;
import io.github.leafmint.persistence.SegmentIdGenerator;
import io.github.leafmint.persistence.SeriesValueGenerator;
import io.github.leafmint.persistence.SnowflakeIdGenerator;
import io.github.leafmint.persistence.TypedIdContributor;
import io.github.leafmint.persistence.TypedIdFinder;
import io.github.leafmint.persistence.UnsetIdsIntegrator;
import io.github.leafmint.spring.boot.MissingSegments;
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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Passes the generators to the entity manager factory that Spring Boot configures, for entities with
 * {@link io.github.leafmint.persistence.SegmentId}, {@link io.github.leafmint.persistence.SnowflakeId} or
 * {@link io.github.leafmint.persistence.SeriesValue}.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id
 *     @SegmentId("order")
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
        private static final String NO_SNOWFLAKES = "there is no SnowflakeGenerator for @SnowflakeId: set"
                + " leafmint.snowflake.enabled=true or leafmint.snowflake.url, or use @SegmentId";

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
            if (!settings.containsKey(HibernateSettings.SEGMENT_URL)) {
                add(settings, HibernateSettings.SEGMENT_GENERATOR, segments, this::noSegments);
            }
            if (!settings.containsKey(HibernateSettings.SNOWFLAKE_URL)) {
                add(settings, HibernateSettings.SNOWFLAKE_GENERATOR, snowflakes, () -> NO_SNOWFLAKES);
            }
            Function<String, Series> series = name -> SeriesBeans.find(beans, name);
            settings.putIfAbsent(HibernateSettings.SERIES, series);
        }

        private void add(
                Map<String, Object> settings, String name, ObjectProvider<?> generator, Supplier<String> missing) {
            // A generator that exists before the entity manager factory is closed after it. If the database is
            // initialised after Hibernate, the generator is made after the database.
            Object bean = deferred ? null : generator.getIfUnique();
            // Only an entity that needs a missing one fails: Hibernate would open one of its own.
            settings.putIfAbsent(name, bean != null ? bean : (Supplier<Object>) () -> only(generator, missing));
        }

        /** Returns the only generator or the primary one; throws what names several. */
        private static Object only(ObjectProvider<?> generator, Supplier<String> missing) {
            if (generator.stream().findAny().isEmpty()) {
                throw new InvalidConfigException(missing.get());
            }
            return generator.getObject();
        }

        private String noSegments() {
            return "there is no SegmentGenerator for @SegmentId: " + MissingSegments.explain(beans);
        }
    }

    /** Keeps in a native image what Hibernate makes by reflection. */
    static class HibernateRuntimeHints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, ClassLoader classLoader) {
            List.of(
                            SegmentIdGenerator.class,
                            SeriesValueGenerator.class,
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
