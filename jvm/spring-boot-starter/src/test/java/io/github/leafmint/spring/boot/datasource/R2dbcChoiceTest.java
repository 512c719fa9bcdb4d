package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** What is leased through in applications with R2DBC. Runs apart from the other tests: see the build. */
@Timeout(120)
class R2dbcChoiceTest {
    private static FreshDatabase open;

    private final FreshDatabase database = open = new FreshDatabase();

    private final String url = database.url().replace("jdbc:", "r2dbc:");

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(R2dbcAutoConfiguration.class, LeafmintAutoConfiguration.class))
            .withPropertyValues("leafmint.segment.init-schema=true", "leafmint.segment.auto-create=true");

    @AfterEach
    void drop() {
        database.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Shop {
        private final SegmentGenerator ids;
        private final SnowflakeGenerator tickets;

        Shop(SegmentGenerator ids, SnowflakeGenerator tickets) {
            this.ids = ids;
            this.tickets = tickets;
        }

        @PostMapping("/orders")
        Mono<Long> order() {
            return Mono.fromFuture(() -> ids.tag("order").nextIdAsync());
        }

        @PostMapping("/tickets")
        Mono<Long> ticket() {
            return Mono.fromFuture(tickets::nextIdAsync);
        }
    }

    /** With the pool that Spring Boot makes, which has as few connections as it can. */
    @Test
    void aWebFluxApplicationLeasesThroughItsConnectionFactory() {
        var shop = new SpringApplicationBuilder(Shop.class)
                .properties(
                        "spring.main.web-application-type=reactive",
                        "server.port=0",
                        "spring.r2dbc.url=" + url,
                        "spring.r2dbc.username=" + database.name(),
                        "spring.r2dbc.password=s3cret",
                        "spring.r2dbc.pool.initial-size=1",
                        "spring.r2dbc.pool.max-size=1",
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.auto-create=true",
                        "leafmint.snowflake.enabled=true",
                        "leafmint.snowflake.state-files=false");
        try (ConfigurableApplicationContext context = shop.run()) {
            assertThat(context.getBean(ConnectionFactory.class)).isInstanceOf(ConnectionPool.class);
            assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
            String port = context.getEnvironment().getProperty("local.server.port");
            assertThat(post(port, "/orders")).isEqualTo(1);
            assertThat(post(port, "/orders")).isEqualTo(2);
            assertThat(post(port, "/tickets")).isGreaterThan(1L << 40);
            assertThat(database.tables()).contains("leaf_alloc");
        }
        await().until(() -> database.connections().isEmpty());
    }

    private static long post(String port, String path) {
        return WebClient.create("http://localhost:" + port)
                .post()
                .uri(path)
                .retrieve()
                .bodyToMono(Long.class)
                .block();
    }

    @Configuration(proxyBeanMethods = false)
    static class OneOfJdbc {
        @Bean
        DataSource shop() {
            return new DriverManagerDataSource(open.url(), open.name(), "s3cret");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoFactories {
        @Bean
        ConnectionFactory archive() {
            return ConnectionFactories.get("r2dbc:mariadb://nobody@127.0.0.1:1/archive");
        }

        @Bean
        ConnectionFactory orders() {
            String place = open.url().substring("jdbc:mariadb://".length());
            return ConnectionFactories.get("r2dbc:mariadb://" + open.name() + ":s3cret@" + place);
        }
    }

    @Test
    void aDataSourceComesFirst() {
        application
                .withUserConfiguration(TwoFactories.class, OneOfJdbc.class)
                .run(context -> assertMints(context.getBean(SegmentGenerator.class)));
    }

    @Test
    void severalFactoriesWithoutAPrimaryOneAreRefusedByName() {
        application.withUserConfiguration(TwoFactories.class).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("there are several, of which none is primary: archive, orders")
                .hasMessageContaining("leafmint.segment.data-source"));
    }

    @Test
    void aPropertyNamesAFactory() {
        application
                .withUserConfiguration(TwoFactories.class)
                .withPropertyValues("leafmint.segment.data-source=orders")
                .run(context -> assertMints(context.getBean(SegmentGenerator.class)));
    }

    @Test
    void aNameThatNoBeanHasIsRefused() {
        application
                .withUserConfiguration(TwoFactories.class)
                .withPropertyValues("leafmint.segment.data-source=order")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("leafmint.segment.data-source=order is no DataSource bean"));
    }

    private void assertMints(SegmentGenerator ids) {
        assertThat(ids.tag("order").nextId()).isEqualTo(1);
        assertThat(database.tables()).contains("leaf_alloc");
    }
}
