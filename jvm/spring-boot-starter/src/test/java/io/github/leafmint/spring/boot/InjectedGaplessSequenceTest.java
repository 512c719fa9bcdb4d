package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.IdFormat;
import io.github.leafmint.SeriesPeriod;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class InjectedGaplessSequenceTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
            .withPropertyValues(
                    "leafmint.gapless.invoice.period=year",
                    "leafmint.gapless.invoice.zone=Europe/Madrid",
                    "leafmint.gapless.invoice.key=shop-7",
                    "leafmint.gapless.invoice.format={key}/{year}-{number:5}",
                    "leafmint.gapless.invoice.start=100",
                    "leafmint.gapless.receipt.period=forever");

    @Test
    void aSequenceOfThePropertiesIsInjectedByItsNameWithoutAGenerator() {
        application.withUserConfiguration(Documents.class).run(context -> {
            Documents documents = context.getBean(Documents.class);
            assertThat(documents.invoice)
                    .returns("invoice", GaplessSequence::name)
                    .returns(SeriesPeriod.YEAR, GaplessSequence::period)
                    .returns(ZoneId.of("Europe/Madrid"), GaplessSequence::zone)
                    .returns("shop-7", GaplessSequence::key)
                    .returns(IdFormat.of("{key}/{year}-{number:5}"), GaplessSequence::format)
                    .returns(100L, GaplessSequence::start);
            assertThat(documents.receipt).hasToString("GaplessSequence[receipt by forever]");
            assertThat(documents.receipt.start()).isEqualTo(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Documents {
        private final GaplessSequence invoice;
        private final GaplessSequence receipt;

        Documents(@Qualifier("invoice") GaplessSequence invoice, @Qualifier("receipt") GaplessSequence receipt) {
            this.invoice = invoice;
            this.receipt = receipt;
        }
    }

    @Test
    void aBeanOfTheApplicationTakesPrecedence() {
        application.withUserConfiguration(Own.class).run(context -> assertThat(
                        context.getBean("invoiceGaplessSequence", GaplessSequence.class)
                                .start())
                .isEqualTo(5));
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        GaplessSequence invoiceGaplessSequence() {
            return GaplessSequence.named("invoice")
                    .period(SeriesPeriod.FOREVER)
                    .start(5)
                    .build();
        }
    }
}
