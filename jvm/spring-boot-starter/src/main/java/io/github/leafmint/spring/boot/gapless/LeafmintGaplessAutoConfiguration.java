package io.github.leafmint.spring.boot.gapless;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Declares {@link GaplessNumbers} on the application's data source, or on its primary one. It opens no connection.
 *
 * <pre>{@code
 * @Service
 * class Invoices {
 *     private final GaplessNumbers numbers;
 *
 *     Invoices(GaplessNumbers numbers) {
 *         this.numbers = numbers;
 *     }
 * }
 * }</pre>
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(JdbcTemplate.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintGaplessAutoConfiguration {
    LeafmintGaplessAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    GaplessNumbers leafmintGaplessNumbers(DataSource dataSource) {
        return new GaplessNumbers(dataSource);
    }
}
