package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.Audit;
import io.github.leafmint.IdOrder;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.spring.boot.actuate.LeafmintActuatorAutoConfiguration;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditAutoConfiguration;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors;
import io.github.leafmint.spring.boot.actuate.LeafmintDescriptors;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

/** The beans are written as code, compiled, and run without looking at annotations. */
class AheadOfTimeTest {
    @TempDir
    private Path directory;

    @Test
    @CompileWithForkedClassLoader
    void theBeansSurviveProcessingAheadOfTime() {
        var generated = new TestGenerationContext();
        try (var built = new AnnotationConfigApplicationContext()) {
            properties().applyTo(built);
            built.register(Shop.class);
            new ApplicationContextAotGenerator().processAheadOfTime(built, generated);
        }
        generated.writeGeneratedContent();
        TestCompiler.forSystem().with(generated).compile(compiled -> {
            try (var context = new GenericApplicationContext()) {
                properties().applyTo(context);
                initialize(context, compiled.getInstance(ApplicationContextInitializer.class));
                context.refresh();
                Shop shop = context.getBean(Shop.class);
                assertThat(shop.order).returns("order", Tag::name).returns(IdOrder.RELAXED, Tag::order);
                assertThat(shop.order.nextId()).isEqualTo(1);
                assertThat(shop.invoice.next().number()).isEqualTo(1);
                assertThat(shop.flakes.nextId()).isPositive();
                assertThat(shop.ids
                                .parse(OrderId.class, shop.ids.text(new OrderId(42)))
                                .value())
                        .isEqualTo(42);
                assertThat(context.getBean(Audit.class)).isNotSameAs(context.getBean(Audit.class));
            }
        });
    }

    @Test
    void theConstructorsOfTypedIdsAreKept() throws Exception {
        var generated = new TestGenerationContext();
        try (var built = new AnnotationConfigApplicationContext()) {
            AutoConfigurationPackages.register(built, Shop.class.getPackageName());
            new ApplicationContextAotGenerator().processAheadOfTime(built, generated);
        }
        assertThat(RuntimeHintsPredicates.reflection().onConstructor(OrderId.class.getConstructor(long.class)))
                .accepts(generated.getRuntimeHints());
    }

    @Test
    void whatTheEndpointsAnswerIsKept() {
        var generated = new TestGenerationContext();
        try (var built = new AnnotationConfigApplicationContext()) {
            properties().and("management.endpoints.web.exposure.include=*").applyTo(built);
            built.register(Endpoints.class);
            new ApplicationContextAotGenerator().processAheadOfTime(built, generated);
        }
        for (Class<?> answer : List.of(LeafmintDescriptors.All.class, LeafmintAuditDescriptors.Finding.class)) {
            assertThat(RuntimeHintsPredicates.reflection().onType(answer)).accepts(generated.getRuntimeHints());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LeafmintAutoConfiguration.class,
        LeafmintActuatorAutoConfiguration.class,
        LeafmintAuditAutoConfiguration.class
    })
    static class Endpoints {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void initialize(GenericApplicationContext context, ApplicationContextInitializer initializer) {
        initializer.initialize(context);
    }

    private TestPropertyValues properties() {
        return TestPropertyValues.of(
                "leafmint.segment.url=memory://" + UUID.randomUUID(),
                "leafmint.segment.tags.order.order=relaxed",
                "leafmint.segment.tags.item.create=true",
                "leafmint.segment.series.invoice.period=day",
                "leafmint.segment.series.invoice.zone=Europe/Madrid",
                "leafmint.id-keys=lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
                "leafmint.snowflake.url=local:" + directory);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeafmintAutoConfiguration.class, LeafmintTypedIdsAutoConfiguration.class})
    static class Shop {
        private final Tag order;
        private final Series invoice;
        private final SnowflakeGenerator flakes;
        private final TypedIds ids;

        Shop(
                @Qualifier("order") Tag order,
                @Qualifier("invoice") Series invoice,
                SnowflakeGenerator flakes,
                TypedIds ids) {
            this.order = order;
            this.invoice = invoice;
            this.flakes = flakes;
            this.ids = ids;
        }
    }
}
