package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;

/** An application of R2DBC without typed ids. Runs apart from the other tests: see the build. */
class SeveralDatabasesR2dbcTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LeafmintTypedIdAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class OneClient {
        @Bean
        DatabaseClient shop() {
            return client();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherClient {
        @Bean
        DatabaseClient archive() {
            return client();
        }
    }

    /** Returns a client of a database that Spring Data does not know. */
    private static DatabaseClient client() {
        var connections = mock(ConnectionFactory.class);
        when(connections.getMetadata()).thenReturn(() -> "Unknown");
        var client = mock(DatabaseClient.class);
        when(client.getConnectionFactory()).thenReturn(connections);
        return client;
    }

    @Test
    void twoClientsDoNotStopTheStart() {
        application
                .withUserConfiguration(OneClient.class, AnotherClient.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("leafmintR2dbcConversions"));
    }

    /** The application may use the client alone, without Spring Data. */
    @Test
    void aDatabaseThatSpringDataDoesNotKnowDoesNotStopTheStart() {
        application.withUserConfiguration(OneClient.class).run(context -> assertThat(context)
                .hasNotFailed());
    }
}
