package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.Credentials;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class CredentialsBeanTest {
    private static final URI SERVER = URI.create(System.getenv("LEAFMINT_TEST_MYSQL"));

    @Test
    void aSupplierReplacesUserAndPasswordOfBothGenerators() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withUserConfiguration(Vault.class)
                .withPropertyValues(
                        "leafmint.segment.url=mysql://" + SERVER.getHost() + ":" + SERVER.getPort() + SERVER.getPath(),
                        "leafmint.segment.username=app",
                        "leafmint.segment.password=wrong",
                        "leafmint.segment.init-schema=true",
                        "leafmint.snowflake.enabled=true",
                        "leafmint.snowflake.namespace=starter_credentials")
                .run(context -> {
                    assertThat(context.getBean(SegmentGenerator.class).check()).isNotNull();
                    AtomicInteger asked = context.getBean(AtomicInteger.class);
                    int bySegments = asked.get();
                    assertThat(bySegments).isPositive();
                    assertThat(context.getBean(SnowflakeGenerator.class).nextId())
                            .isPositive();
                    assertThat(asked).hasValueGreaterThan(bySegments);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Vault {
        @Bean
        AtomicInteger asked() {
            return new AtomicInteger();
        }

        @Bean
        CredentialsSupplier rotatingPassword(AtomicInteger asked) {
            return () -> {
                asked.incrementAndGet();
                String[] login = SERVER.getUserInfo().split(":", 2);
                return new Credentials(login[0], login.length > 1 ? login[1] : "");
            };
        }
    }
}
