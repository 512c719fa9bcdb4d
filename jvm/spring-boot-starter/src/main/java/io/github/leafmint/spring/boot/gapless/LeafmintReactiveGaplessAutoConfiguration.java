package io.github.leafmint.spring.boot.gapless;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/**
 * Declares {@link ReactiveGaplessNumbers} on the application's connection factory, or on its primary one. It opens no
 * connection.
 *
 * <pre>{@code
 * @Service
 * class Invoices {
 *     private final ReactiveGaplessNumbers numbers;
 *
 *     Invoices(ReactiveGaplessNumbers numbers) {
 *         this.numbers = numbers;
 *     }
 * }
 * }</pre>
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration"
        })
@ConditionalOnClass({ConnectionFactory.class, R2dbcTransactionManager.class})
@ConditionalOnSingleCandidate(ConnectionFactory.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintReactiveGaplessAutoConfiguration {
    LeafmintReactiveGaplessAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    ReactiveGaplessNumbers leafmintReactiveGaplessNumbers(ConnectionFactory connectionFactory) {
        return new ReactiveGaplessNumbers(connectionFactory);
    }
}
