package io.github.leafmint.spring.boot.leaf;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves Leaf's HTTP interface, if {@code leafmint.leaf-api.enabled} is true, so that clients of a Leaf server need no
 * change.
 *
 * <p>As with Leaf, every client that can reach the paths can mint: put them behind what guards the application's other
 * paths.
 *
 * <pre>{@code
 * GET /api/segment/get/order
 * GET /api/snowflake/get/order
 * GET /decodeSnowflakeId?snowflakeId=2116681624581074986
 * GET /cache
 * GET /db
 * }</pre>
 *
 * <p>The last two are there only if {@code leafmint.leaf-api.monitor} is true too.
 */
@AutoConfiguration(after = LeafmintAutoConfiguration.class)
@ConditionalOnClass(RestController.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafApiAutoConfiguration {
    LeafApiAutoConfiguration() {}

    /** The interface on Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = "leafmint.leaf-api", name = "enabled")
    @ConditionalOnWebApplication(type = Type.SERVLET)
    static class Mvc {
        @Bean
        LeafController leafmintLeafController(
                ObjectProvider<SegmentGenerator> segments, ObjectProvider<SnowflakeGenerator> snowflakes) {
            return new LeafController(new LeafIds(segments.getIfAvailable(), snowflakes.getIfAvailable()));
        }
    }

    /** The interface on Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = "leafmint.leaf-api", name = "enabled")
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    static class WebFlux {
        @Bean
        ReactiveLeafController leafmintLeafController(
                ObjectProvider<SegmentGenerator> segments, ObjectProvider<SnowflakeGenerator> snowflakes) {
            return new ReactiveLeafController(new LeafIds(segments.getIfAvailable(), snowflakes.getIfAvailable()));
        }
    }

    /** What Leaf's pages show. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(
            prefix = "leafmint.leaf-api",
            name = {"enabled", "monitor"})
    @ConditionalOnWebApplication
    static class Monitor {
        @Bean
        LeafMonitorController leafmintLeafMonitorController(ObjectProvider<SegmentGenerator> segments) {
            return new LeafMonitorController(new LeafIds(segments.getIfAvailable(), null));
        }
    }
}
