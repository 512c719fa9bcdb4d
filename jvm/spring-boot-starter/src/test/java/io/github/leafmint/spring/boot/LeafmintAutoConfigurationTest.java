package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.BuilderOptions;
import io.github.leafmint.ClosedException;
import io.github.leafmint.IdOrder;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class LeafmintAutoConfigurationTest {
    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class));

    @TempDir
    private Path directory;

    @Test
    void anApplicationWithAUrlMintsIds() {
        application
                .withPropertyValues("leafmint.segment.url=memory://" + UUID.randomUUID())
                .run(context -> {
                    assertThat(context.getBean(SegmentGenerator.class)
                                    .tag("order")
                                    .nextId())
                            .isEqualTo(1);
                    assertThat(context).doesNotHaveBean(SnowflakeGenerator.class);
                });
    }

    @Test
    void anApplicationWithAHolderMintsSnowflakes() {
        application
                .withPropertyValues("leafmint.snowflake.url=local:" + directory, "leafmint.snowflake.workers=9")
                .run(context -> {
                    SnowflakeGenerator flakes = context.getBean(SnowflakeGenerator.class);
                    assertThat(flakes.decode(flakes.nextId()).workerId()).isEqualTo(9);
                    assertThat(context).doesNotHaveBean(SegmentGenerator.class);
                });
    }

    @Test
    void anEmptyUrlCountsAsNone() {
        application
                .withPropertyValues("leafmint.segment.url=", "leafmint.snowflake.url=")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(SegmentGenerator.class)
                        .doesNotHaveBean(SnowflakeGenerator.class));
    }

    @Test
    void nothingIsDeclaredWithoutAUrlOrWhenSwitchedOff() {
        application.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(SegmentGenerator.class)
                .doesNotHaveBean(SnowflakeGenerator.class));
        String[] urls = {
            "leafmint.segment.url=memory://" + UUID.randomUUID(), "leafmint.snowflake.url=local:" + directory
        };
        application
                .withPropertyValues(urls)
                .withPropertyValues("leafmint.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LeafmintProperties.class));
        application
                .withPropertyValues(urls)
                .withPropertyValues("leafmint.segment.enabled=false", "leafmint.snowflake.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(SegmentGenerator.class)
                        .doesNotHaveBean(SnowflakeGenerator.class));
    }

    @Test
    void theGeneratorOfTheApplicationIsKept() {
        application
                .withUserConfiguration(OwnGenerator.class)
                .withPropertyValues("leafmint.segment.url=no-such-store:")
                .run(context ->
                        assertThat(context).hasNotFailed().getBean("mine").isInstanceOf(SegmentGenerator.class));
    }

    @Test
    void tagsOfTheGeneratorOfTheApplicationAreBeans() {
        application
                .withUserConfiguration(OwnGenerator.class)
                .withPropertyValues("leafmint.segment.tags.order.order=relaxed")
                .run(context ->
                        assertThat(context.getBean("orderTag", Tag.class)).returns(IdOrder.RELAXED, Tag::order));
    }

    @Test
    void customizersHaveTheLastWordInTheirOrder() {
        application
                .withUserConfiguration(Customizers.class)
                .withPropertyValues(
                        "leafmint.segment.url=memory://" + UUID.randomUUID(), "leafmint.segment.timeout=500ms")
                .run(context ->
                        assertThat(context.getBean(Customizers.class).seen).hasValue("500ms, then 1s"));
    }

    @Test
    void noTextOfThePropertiesHoldsAPassword() {
        application
                .withPropertyValues("leafmint.segment.enabled=false", "leafmint.segment.url=mysql://u:s3cret@h/db")
                .withPropertyValues("leafmint.segment.password=s3cret", "leafmint.snowflake.password=s3cret")
                .run(context -> assertThat(
                                context.getBean(LeafmintProperties.class).toString())
                        .doesNotContain("s3cret"));
        assertThat(new Source.Url("memory:", "u", "s3cret").toString()).doesNotContain("s3cret");
    }

    @Test
    void theGeneratorIsClosedWithTheContext() {
        var ids = new AtomicReference<SegmentGenerator>();
        application
                .withPropertyValues("leafmint.segment.url=memory://" + UUID.randomUUID())
                .run(context -> ids.set(context.getBean(SegmentGenerator.class)));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> ids.get().tag("order").nextId()))
                .isInstanceOf(ClosedException.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGenerator {
        @Bean
        SegmentGenerator mine() {
            return SegmentGenerator.open("memory:");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customizers {
        final AtomicReference<String> seen = new AtomicReference<>();

        @Bean
        @org.springframework.core.annotation.Order(2)
        SegmentGeneratorBuilderCustomizer second() {
            return builder -> seen.accumulateAndGet(timeout(builder), (first, last) -> first + ", then " + last);
        }

        @Bean
        @org.springframework.core.annotation.Order(1)
        SegmentGeneratorBuilderCustomizer first() {
            return builder -> {
                seen.set(timeout(builder));
                builder.option("timeout", "1s");
            };
        }

        private static String timeout(io.github.leafmint.SegmentGeneratorBuilder builder) {
            Object timeout = BuilderOptions.of(builder).get("timeout");
            return timeout.equals(Duration.ofMillis(500)) ? "500ms" : timeout.toString();
        }
    }
}
