package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

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

    /** Matches if {@code leafmint.segment.url} is set and not empty. */
    static class OnSegmentUrl extends OnUrl {
        OnSegmentUrl() {
            super("leafmint.segment");
        }
    }

    /** Matches if the property {@code url} of a prefix is set and not empty. */
    abstract static class OnUrl extends SpringBootCondition {
        private final String prefix;

        OnUrl(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean hasUrl = StringUtils.hasText(context.getEnvironment().getProperty(prefix + ".url"));
            ConditionMessage.Builder message = ConditionMessage.forCondition(prefix);
            return hasUrl
                    ? ConditionOutcome.match(message.because("has a URL"))
                    : ConditionOutcome.noMatch(message.because("has no URL"));
        }
    }

    /**
     * Matches if Spring Boot knows the connection of the data source, by the name of its own bean or by either type.
     */
    static class OnDataSource extends OnNameOrType {
        OnDataSource() {
            super("jdbcConnectionDetails");
        }

        @ConditionalOnBean(type = "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails")
        static class OfBoot3 {}

        @ConditionalOnBean(type = "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails")
        static class OfBoot4 {}
    }
}
