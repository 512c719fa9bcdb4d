package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.Audit;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.LeafmintProperties;
import io.github.leafmint.spring.boot.metrics.KeyMeters;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Declares the endpoint {@code /actuator/leafmintaudit}, if there is a database to audit, and the meters of its keys,
 * if {@code leafmint.metrics.audit} asks for them. They need no generator.
 *
 * <p>Switch the endpoint off with {@code management.endpoint.leafmintaudit.access}.
 */
@AutoConfiguration(after = LeafmintAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintAuditAutoConfiguration {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    LeafmintAuditAutoConfiguration() {}

    /** The endpoint and the meters share it. */
    @Bean
    @Lazy
    @ConditionalOnBean(Audit.class)
    RecentAudit leafmintRecentAudit(ObjectProvider<Audit> audit, LeafmintProperties properties) {
        Duration maxAge = properties.audit().maxAge();
        // The audit is made by the first request: no start may fail for it.
        return new RecentAudit(() -> audit.getObject().run(), maxAge, LONGEST_WAIT, System::nanoTime);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(LeafmintAuditEndpoint.class)
    @ConditionalOnBean(Audit.class)
    LeafmintAuditEndpoint leafmintAuditEndpoint(RecentAudit recent) {
        return new LeafmintAuditEndpoint(recent);
    }

    /** The meters of the keys. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        @ConditionalOnProperty(prefix = "leafmint.metrics", name = "audit")
        @ConditionalOnBean(Audit.class)
        KeyMeters leafmintKeyMeters(RecentAudit recent, LeafmintProperties properties) {
            int maxKeys = properties.metrics().maxTags();
            return new KeyMeters(() -> reportOf(recent.latestAtItsPace()), recent::age, maxKeys);
        }

        private static AuditReport reportOf(RecentAudit.Attempt last) {
            return last == null ? null : last.report();
        }
    }
}
