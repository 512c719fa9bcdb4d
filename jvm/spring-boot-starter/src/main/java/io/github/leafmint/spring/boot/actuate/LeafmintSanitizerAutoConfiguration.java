package io.github.leafmint.spring.boot.actuate;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Keeps the keys of public ids out of {@code /actuator/env} and {@code /actuator/configprops}.
 *
 * <pre>{@code
 * management.endpoint.env.show-values=always
 * leafmint.id-keys=${SHOP_ID_KEYS} # shown as ******
 * }</pre>
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintSanitizerAutoConfiguration {
    LeafmintSanitizerAutoConfiguration() {}

    @Bean
    IdKeysSanitizer leafmintIdKeysSanitizer() {
        return new IdKeysSanitizer();
    }
}
