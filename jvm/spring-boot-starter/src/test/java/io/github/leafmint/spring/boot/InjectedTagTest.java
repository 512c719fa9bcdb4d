package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.BizTag;
import io.github.leafmint.Order;
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
            assertThat(users.order).returns("order", BizTag::name).returns(Order.RELAXED, BizTag::order);
            assertThat(users.user).returns("user", BizTag::name).returns(4L, BizTag::geneBits);
            assertThat(users.user.nextIdWithGene(5) & 15).isEqualTo(5);
        });
    }

    @Test
    void aNameKeepsItsUnderscoresAndCapitalsAndInBracketsItsDots() {
        application
                .withPropertyValues(
                        "leafmint.segment.tags.order_Item.order=strict",
                        "leafmint.segment.tags[shop.order].order=strict")
                .run(context -> assertThat(context.getBeansOfType(BizTag.class).values())
                        .extracting(BizTag::name)
                        .contains("order_Item", "shop.order"));
    }

    @Test
    void theTagOfTheApplicationIsKept() {
        application.withUserConfiguration(Own.class).run(context -> assertThat(
                        context.getBean("orderBizTag", BizTag.class).name())
                .isEqualTo("mine"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {
        private final BizTag order;
        private final BizTag user;

        Users(@Qualifier("order") BizTag order, @Qualifier("user") BizTag user) {
            this.order = order;
            this.user = user;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        BizTag orderBizTag(io.github.leafmint.SegmentGenerator ids) {
            return ids.bizTag("mine");
        }
    }
}
