package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class InjectedSeriesTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
            .withPropertyValues(
                    "leafmint.segment.url=memory://" + UUID.randomUUID(),
                    "leafmint.segment.series.invoice.period=day",
                    "leafmint.segment.series.invoice.zone=Europe/Madrid",
                    "leafmint.segment.series.invoice.key=shop-7",
                    "leafmint.segment.series.invoice.format={key}/{yy}{month}{day}-{number:4}",
                    "leafmint.segment.series.member.period=forever",
                    "leafmint.segment.series.member.step=10");

    @Test
    void aSeriesOfThePropertiesIsInjectedByItsName() {
        application.withUserConfiguration(Documents.class).run(context -> {
            Documents documents = context.getBean(Documents.class);
            assertThat(documents.invoice)
                    .returns("invoice", Series::name)
                    .returns(SeriesPeriod.DAY, Series::period)
                    .returns(ZoneId.of("Europe/Madrid"), Series::zone);
            assertThat(documents.invoice.next(LocalDate.of(2026, 11, 25)).text())
                    .isEqualTo("shop-7/261125-0001");
            assertThat(documents.member.next().number()).isEqualTo(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Documents {
        private final Series invoice;
        private final Series member;

        Documents(@Qualifier("invoice") Series invoice, @Qualifier("member") Series member) {
            this.invoice = invoice;
            this.member = member;
        }
    }
}
