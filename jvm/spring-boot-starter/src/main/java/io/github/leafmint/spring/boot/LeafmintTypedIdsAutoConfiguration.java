package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.spring.boot.metrics.IdKeyMeters;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Declares the {@link TypedIds} of the application, with the keys of {@code leafmint.id-keys}, and makes them what
 * {@link io.github.leafmint.ids.TypedId#toString} uses.
 *
 * <p>Without these properties keys are looked up when the first class that needs them is used.
 *
 * <pre>{@code
 * @Service
 * class Invitations {
 *     private final TypedIds ids;
 *
 *     Invitations(TypedIds ids) {
 *         this.ids = ids;
 *     }
 * }
 * }</pre>
 */
@AutoConfiguration
@ConditionalOnClass(TypedIds.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeafmintProperties.class)
public class LeafmintTypedIdsAutoConfiguration {
    LeafmintTypedIdsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    TypedIds leafmintTypedIds(
            LeafmintProperties properties,
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes) {
        var keys = new ConfiguredKeys(properties);
        TypedIds ids = keys.arePresent()
                ? TypedIds.of(RefusedPropertiesException.naming(LeafmintProperties.ID_KEYS, keys::get))
                : TypedIds.of(keys);
        return ids.mintingTags(tag -> segments.getObject().tag(tag)).mintingSnowflakes(snowflakes::getObject);
    }

    @Bean
    @Lazy(false)
    DefaultTypedIds leafmintDefaultTypedIds(TypedIds ids) {
        return new DefaultTypedIds(ids);
    }

    /** The meters of the keys. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        IdKeyMeters leafmintIdKeyMeters(TypedIds ids) {
            return new IdKeyMeters(ids);
        }
    }
}
