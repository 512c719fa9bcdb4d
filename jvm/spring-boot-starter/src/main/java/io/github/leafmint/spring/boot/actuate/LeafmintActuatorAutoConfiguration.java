package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.LeafmintProperties;
import io.github.leafmint.spring.boot.OnGenerator;
import io.github.leafmint.spring.boot.metrics.HolderMeters;
import io.github.leafmint.spring.boot.metrics.LeafmintMeters;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * Declares the health indicator {@code leafmint}, Micrometer meters and the endpoint {@code /actuator/leafmint} with
 * its page, for every generator that is a bean.
 *
 * <p>None of them mints. Only the page asks a store, and the meters that {@code leafmint.metrics.store-every} adds.
 * Switch them off with {@code management.health.leafmint.enabled}, {@code management.metrics.enable.leafmint} and
 * {@code management.endpoint.leafmint.access}.
 */
@AutoConfiguration(after = LeafmintAutoConfiguration.class)
@Conditional(OnGenerator.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintActuatorAutoConfiguration {
    private static final String HEALTH_3 = "org.springframework.boot.actuate.health.HealthIndicator";
    private static final String HEALTH_4 = "org.springframework.boot.health.contributor.HealthIndicator";

    LeafmintActuatorAutoConfiguration() {}

    @Bean
    @Lazy
    Generators leafmintGenerators(ListableBeanFactory beans) {
        return Generators.of(beans);
    }

    /** The health indicator of Spring Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = HEALTH_3)
    static class Health3 {
        @Bean
        @ConditionalOnMissingBean(name = "leafmintHealthIndicator")
        @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator("leafmint")
        org.springframework.boot.actuate.health.HealthIndicator leafmintHealthIndicator(Generators generators) {
            return () -> {
                LeafmintHealth health = LeafmintHealth.of(generators);
                var status = health.isInService()
                        ? org.springframework.boot.actuate.health.Status.UP
                        : org.springframework.boot.actuate.health.Status.OUT_OF_SERVICE;
                return org.springframework.boot.actuate.health.Health.status(status)
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    /** The health indicator of Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = HEALTH_4)
    static class Health4 {
        @Bean
        @ConditionalOnMissingBean(name = "leafmintHealthIndicator")
        @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("leafmint")
        org.springframework.boot.health.contributor.HealthIndicator leafmintHealthIndicator(Generators generators) {
            return () -> {
                LeafmintHealth health = LeafmintHealth.of(generators);
                var status = health.isInService()
                        ? org.springframework.boot.health.contributor.Status.UP
                        : org.springframework.boot.health.contributor.Status.OUT_OF_SERVICE;
                return org.springframework.boot.health.contributor.Health.status(status)
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    /** The meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        LeafmintMeters leafmintMeters(Generators generators, LeafmintProperties properties) {
            int maxTags = properties.metrics().maxTags();
            return new LeafmintMeters(generators.segments(), generators.snowflakes(), maxTags);
        }

        @Bean
        @ConditionalOnProperty(prefix = "leafmint.metrics", name = "store-every")
        HolderMeters leafmintHolderMeters(Generators generators, LeafmintProperties properties) {
            return new HolderMeters(
                    generators.snowflakes(), properties.metrics().storeEvery());
        }
    }

    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoint {
        @Bean
        @ConditionalOnAvailableEndpoint(LeafmintEndpoint.class)
        LeafmintEndpoint leafmintEndpoint(Generators generators) {
            return new LeafmintEndpoint(generators);
        }
    }

    /** The page and its document on a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    static class Page {
        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = LeafmintEndpoint.class, exposure = EndpointExposure.WEB)
        LeafmintWebExtension leafmintWebExtension(Generators generators, ObjectProvider<LeafmintAuditEndpoint> audit) {
            return new LeafmintWebExtension(new LeafmintFiles(generators, audit.getIfAvailable()));
        }
    }

    /** The page and its document on WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    static class ReactivePage {
        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = LeafmintEndpoint.class, exposure = EndpointExposure.WEB)
        LeafmintReactiveWebExtension leafmintWebExtension(
                Generators generators, ObjectProvider<LeafmintAuditEndpoint> audit) {
            return new LeafmintReactiveWebExtension(new LeafmintFiles(generators, audit.getIfAvailable()));
        }

        /** Brings the response to the page, for its headers. */
        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = LeafmintEndpoint.class, exposure = EndpointExposure.WEB)
        @ConditionalOnMissingBean
        ServerWebExchangeContextFilter leafmintExchangeFilter() {
            return new ServerWebExchangeContextFilter();
        }
    }
}
