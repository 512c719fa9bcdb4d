package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.metrics.LeafmintMeters;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class LeafmintActuatorAutoConfigurationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeafmintAutoConfiguration.class, LeafmintActuatorAutoConfiguration.class))
            .withPropertyValues("leafmint.segment.url=memory:");

    @Test
    void anApplicationWithoutActuatorAndMicrometerStarts() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate", "io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(SegmentGenerator.class)
                        .doesNotHaveBean("leafmintHealthIndicator")
                        .doesNotHaveBean("leafmintMeters")
                        .doesNotHaveBean("leafmintEndpoint"));
    }

    @Test
    void micrometerWithoutActuatorSuffices() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LeafmintMeters.class));
    }

    @Test
    void nothingIsDeclaredWithoutAGenerator() {
        application.withPropertyValues("leafmint.segment.enabled=false").run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(Generators.class)
                .doesNotHaveBean(LeafmintMeters.class)
                .doesNotHaveBean("leafmintHealthIndicator"));
    }

    @Test
    void eachPartCanBeSwitchedOff() {
        try (var shop = WebApplication.start(
                "leafmint.segment.url=memory:",
                "management.health.leafmint.enabled=false",
                "management.metrics.enable.leafmint=false",
                "management.endpoint.leafmint.access=none")) {
            shop.tag("order").nextId();
            assertThat(shop.status("health/leafmint")).isEqualTo(404);
            assertThat(shop.text("prometheus")).contains("jvm_").doesNotContain("leafmint_");
            assertThat(shop.status("leafmint")).isEqualTo(404);
        }
    }
}
