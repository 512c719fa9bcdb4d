package io.github.leafmint.spring.boot;

import io.github.leafmint.Audit;
import io.github.leafmint.CredentialsSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

/**
 * Declares an audit of the database that has the application's tables: {@code leafmint.audit.url}, the data source, or
 * else the database of the segment generator.
 *
 * <p>Each injection point has an audit of its own, since its owner may configure it further. There is one class for
 * each generation of Spring Boot, as in {@link ConnectionDetailsConfiguration}.
 */
class AuditConfiguration {
    private static final String AUDIT = "leafmintAudit";
    private static final String PROTOTYPE = ConfigurableBeanFactory.SCOPE_PROTOTYPE;

    private AuditConfiguration() {}

    /** The URL in the properties. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @Conditional(OnAuditUrl.class)
    static class OfProperties {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(LeafmintProperties properties) {
            LeafmintProperties.Audit audit = properties.audit();
            return of(audit, audit.url(), audit.username(), audit.password());
        }
    }

    /** The data source of Spring Boot 3, if ids come from another database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @ConditionalOnClass(name = "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails")
    @Conditional({ConnectionDetailsConfiguration.OnSegmentUrl.class, ConnectionDetailsConfiguration.OnDataSource.class})
    static class OfBoot3 {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(
                LeafmintProperties properties,
                org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails source) {
            return of(properties.audit(), source.getJdbcUrl(), source.getUsername(), source.getPassword());
        }
    }

    /** The data source of Spring Boot 4, if ids come from another database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @ConditionalOnClass(name = "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails")
    @Conditional({ConnectionDetailsConfiguration.OnSegmentUrl.class, ConnectionDetailsConfiguration.OnDataSource.class})
    static class OfBoot4 {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(
                LeafmintProperties properties,
                org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails source) {
            return of(properties.audit(), source.getJdbcUrl(), source.getUsername(), source.getPassword());
        }
    }

    /** The database of the segment generator, with its options. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @Conditional(SegmentConfiguration.OnConnectionDetails.class)
    static class OfSegments {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(
                LeafmintProperties properties,
                LeafmintConnectionDetails details,
                ObjectProvider<CredentialsSupplier> credentials) {
            CredentialsSupplier supplier = credentials.getIfAvailable();
            Audit audit = supplier == null
                    ? of(properties.audit(), details.url(), details.username(), details.password())
                    : of(properties.audit(), details.url(), null, null).credentials(supplier);
            properties.segment().passTo(new OptionSetter(audit::option));
            return audit;
        }
    }

    private static Audit of(LeafmintProperties.Audit asked, String url, String username, String password) {
        Audit audit = Audit.of(url);
        new OptionSetter(audit::option).set("user", username).set("password", password);
        asked.tags().forEach(audit::tag);
        return audit.tables(asked.tables().toArray(String[]::new))
                .ignore(asked.ignore().toArray(String[]::new));
    }

    /** Matches if {@code leafmint.audit.url} is set and not empty. */
    static class OnAuditUrl extends ConnectionDetailsConfiguration.OnUrl {
        OnAuditUrl() {
            super("leafmint.audit");
        }
    }
}
