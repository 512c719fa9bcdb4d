package io.github.leafmint.spring.boot;

import io.github.leafmint.TypedIds;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Declares the {@link TypedIds} of the application, with the keys of {@code leafmint.public-ids}, and makes them what
 * {@link io.github.leafmint.TypedId#toString} uses.
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
    TypedIds leafmintTypedIds(LeafmintProperties properties, Environment environment) {
        var keys = new ConfiguredKeys(properties.publicIds(), environment);
        return keys.arePresent()
                ? TypedIds.of(RefusedPropertiesException.naming(LeafmintProperties.PUBLIC_IDS, keys::get))
                : TypedIds.of(keys);
    }

    @Bean
    @Lazy(false)
    DefaultTypedIds leafmintDefaultTypedIds(TypedIds ids) {
        return new DefaultTypedIds(ids);
    }
}
