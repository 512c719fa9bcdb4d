package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.Audit;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.LeafmintProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Declares the endpoint {@code /actuator/leafmintaudit}, if there is a database to audit. It needs no generator.
 *
 * <p>Switch it off with {@code management.endpoint.leafmintaudit.access}.
 */
@AutoConfiguration(after = LeafmintAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintAuditAutoConfiguration {
    LeafmintAuditAutoConfiguration() {}

    @Bean
    @ConditionalOnAvailableEndpoint(LeafmintAuditEndpoint.class)
    @ConditionalOnBean(Audit.class)
    LeafmintAuditEndpoint leafmintAuditEndpoint(ObjectProvider<Audit> audit, LeafmintProperties properties) {
        return new LeafmintAuditEndpoint(audit, properties.audit().maxAge());
    }
}
