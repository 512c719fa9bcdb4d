package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.persistence.HibernateSettings;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.spring.boot.hibernate.LeafmintHibernateAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import java.util.HashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernatePropertiesCustomizer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a segment generator for each of two databases. */
@ExtendWith(OutputCaptureExtension.class)
class SeveralGeneratorsTest {
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class Two {
        @Bean
        SegmentGenerator shop() {
            return SegmentGenerator.open("memory:");
        }

        @Bean
        SegmentGenerator archive() {
            return SegmentGenerator.open("memory:");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsTag {
        @Bean
        String user(@Qualifier("order") Tag order) {
            return order.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeafmintPersistenceAutoConfiguration.class, LeafmintHibernateAutoConfiguration.class})
    static class Persistent {
        @SegmentId("order")
        Long id;
    }

    @Test
    void theApplicationStartsWithoutAPrimaryOne() {
        try (ConfigurableApplicationContext context = run(Two.class)) {
            assertThat(context.getBeansOfType(SegmentGenerator.class)).containsOnlyKeys("shop", "archive");
        }
    }

    @Test
    void aTagThatCouldBeOfEitherIsReportedWithBoth(CapturedOutput output) {
        assertThat(catchThrowable(() -> run(NeedsTag.class, "--leafmint.segment.tags.order.step=10")))
                .isNotNull();
        assertThat(output)
                .contains("required a single bean, but 2 were found")
                .contains("- shop:")
                .doesNotContain("There is no ");
    }

    @Test
    void anIdThatCouldBeOfEitherIsRefusedWithBoth() {
        try (ConfigurableApplicationContext context = run(Persistent.class)) {
            SegmentId order = annotation();
            assertThatThrownBy(() -> context.getBean(IdSources.class).find(order, () -> "orders", "Persistent.id"))
                    .hasMessage("there are several SegmentGenerators for @SegmentId(\"order\"), and none is primary:"
                            + " annotate one with @Primary");
            var settings = new HashMap<String, Object>();
            context.getBean(HibernatePropertiesCustomizer.class).customize(settings);
            assertThatThrownBy(() -> ((Supplier<?>) settings.get(HibernateSettings.SEGMENT_GENERATOR)).get())
                    .hasMessageContaining("found 2: shop,archive");
        }
    }

    private static SegmentId annotation() {
        try {
            return Persistent.class.getDeclaredField("id").getAnnotation(SegmentId.class);
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static ConfigurableApplicationContext run(Class<?> user, String... arguments) {
        return new SpringApplicationBuilder(Two.class, user)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }
}
