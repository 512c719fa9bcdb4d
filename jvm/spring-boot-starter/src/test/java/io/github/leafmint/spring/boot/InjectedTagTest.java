package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.IdOrder;
import io.github.leafmint.Tag;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class InjectedTagTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
            .withPropertyValues(
                    "leafmint.segment.url=memory://" + UUID.randomUUID(),
                    "leafmint.segment.tags.order.order=relaxed",
                    "leafmint.segment.tags.user.gene-bits=4");

    @Test
    void aTagOfThePropertiesIsInjectedByItsName() {
        application.withUserConfiguration(Users.class).run(context -> {
            Users users = context.getBean(Users.class);
            assertThat(users.order).returns("order", Tag::name).returns(IdOrder.RELAXED, Tag::order);
            assertThat(users.user).returns("user", Tag::name).returns(4L, Tag::geneBits);
            assertThat(users.user.nextIdWithGene(5) & 15).isEqualTo(5);
        });
    }

    @Test
    void aNameKeepsItsUnderscoresAndCapitalsAndInBracketsItsDots() {
        application
                .withPropertyValues(
                        "leafmint.segment.tags.order_Item.order=strict",
                        "leafmint.segment.tags[shop.order].order=strict")
                .run(context -> assertThat(context.getBeansOfType(Tag.class).values())
                        .extracting(Tag::name)
                        .contains("order_Item", "shop.order"));
    }

    @Test
    void theTagOfTheApplicationIsKept() {
        application.withUserConfiguration(Own.class).run(context -> assertThat(
                        context.getBean("orderTag", Tag.class).name())
                .isEqualTo("mine"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {
        private final Tag order;
        private final Tag user;

        Users(@Qualifier("order") Tag order, @Qualifier("user") Tag user) {
            this.order = order;
            this.user = user;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        Tag orderTag(io.github.leafmint.SegmentGenerator ids) {
            return ids.tag("mine");
        }
    }
}
