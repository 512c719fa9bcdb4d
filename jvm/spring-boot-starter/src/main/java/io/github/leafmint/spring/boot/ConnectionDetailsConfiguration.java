package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Declares where leafmint connects to: {@code leafmint.segment.url}, or the data source that Spring Boot configured.
 *
 * <p>Spring Boot 4 moved {@code JdbcConnectionDetails} to another package, so there is one class for each generation.
 */
class ConnectionDetailsConfiguration {
    /** The name of the bean. */
    static final String DETAILS = "leafmintConnectionDetails";

    private ConnectionDetailsConfiguration() {}

    /** The URL in the properties. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LeafmintConnectionDetails.class)
    @Conditional(OnSegmentUrl.class)
    static class OfProperties {
        @Bean(DETAILS)
        LeafmintConnectionDetails leafmintConnectionDetails(LeafmintProperties properties) {
            LeafmintProperties.Segment segment = properties.segment();
            return LeafmintConnectionDetails.of(segment.url(), segment.username(), segment.password());
        }
    }

    /** The data source of Spring Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LeafmintConnectionDetails.class)
    @ConditionalOnClass(name = "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails")
    @Conditional(OnDataSource.class)
    static class OfBoot3 {
        @Bean(DETAILS)
        LeafmintConnectionDetails leafmintConnectionDetails(
                LeafmintProperties properties,
                org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails source) {
            return ofDataSource(properties, source.getJdbcUrl(), source.getUsername(), source.getPassword());
        }
    }

    /** The data source of Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LeafmintConnectionDetails.class)
    @ConditionalOnClass(name = "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails")
    @Conditional(OnDataSource.class)
    static class OfBoot4 {
        @Bean(DETAILS)
        LeafmintConnectionDetails leafmintConnectionDetails(
                LeafmintProperties properties,
                org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails source) {
            return ofDataSource(properties, source.getJdbcUrl(), source.getUsername(), source.getPassword());
        }
    }

    /** Returns the connection of the data source, with the account of the properties if they have one. */
    private static LeafmintConnectionDetails ofDataSource(
            LeafmintProperties properties, String url, String username, String password) {
        LeafmintProperties.Segment segment = properties.segment();
        return LeafmintConnectionDetails.of(
                url,
                segment.username() != null ? segment.username() : username,
                segment.password() != null ? segment.password() : password);
    }
}
