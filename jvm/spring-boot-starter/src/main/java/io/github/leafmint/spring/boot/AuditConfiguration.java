package io.github.leafmint.spring.boot;

import io.github.leafmint.Audit;
import io.github.leafmint.CredentialsSupplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;

/**
 * Declares an audit of the database that has the application's tables: {@code leafmint.audit.url}, the data source, or
 * else the database of the segment generator.
 *
 * <p>Each injection point has an audit of its own, since its owner may configure it further.
 */
class AuditConfiguration {
    private static final String AUDIT = "leafmintAudit";
    private static final String SOURCE = "leafmintAuditSource";
    private static final String PROTOTYPE = ConfigurableBeanFactory.SCOPE_PROTOTYPE;

    private AuditConfiguration() {}

    /** The URL in the properties. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @Conditional(OnText.AuditUrl.class)
    static class OfProperties {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(LeafmintProperties properties) {
            LeafmintProperties.Audit audit = properties.audit();
            return ofUrl(audit, audit.url(), audit.username(), audit.password());
        }
    }

    /** The data source that segments are leased through, or would be if they had no URL, with their options if so. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @Conditional(OnDataSource.class)
    static class OfDataSource {
        /** All audits share it. What they set on its connections is nothing for those of a generator. */
        @Bean(SOURCE)
        @Lazy
        LentDataSource leafmintAuditSource(
                LeafmintProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
            return LentDataSource.of(new DataSourceFinder(beans, environment, SOURCE)
                    .find(GeneratorSources.SEGMENT, properties.segment().dataSource()));
        }

        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(LeafmintProperties properties, LentDataSource leafmintAuditSource) {
            Audit audit = configured(Audit.of(leafmintAuditSource.dataSource()), properties.audit());
            LeafmintProperties.Segment segment = properties.segment();
            if (segment.url() == null) {
                segment.passTo(new OptionSetter(audit::option));
            }
            return audit;
        }
    }

    /** The URL of the segment generator, with its options. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Audit.class)
    @Conditional(OnText.SegmentUrl.class)
    static class OfSegments {
        @Bean(AUDIT)
        @Scope(PROTOTYPE)
        Audit leafmintAudit(LeafmintProperties properties, ObjectProvider<CredentialsSupplier> credentials) {
            LeafmintProperties.Segment segment = properties.segment();
            CredentialsSupplier supplier = credentials.getIfAvailable();
            Audit audit = supplier == null
                    ? ofUrl(properties.audit(), segment.url(), segment.username(), segment.password())
                    : ofUrl(properties.audit(), segment.url(), null, null).credentials(supplier);
            segment.passTo(new OptionSetter(audit::option));
            return audit;
        }
    }

    private static Audit ofUrl(LeafmintProperties.Audit asked, String url, String username, String password) {
        Audit audit = Audit.of(url);
        new OptionSetter(audit::option).set("username", username).set("password", password);
        return configured(audit, asked);
    }

    private static Audit configured(Audit audit, LeafmintProperties.Audit asked) {
        asked.tags().forEach(audit::tag);
        return audit.tables(asked.tables().toArray(String[]::new))
                .ignore(asked.ignore().toArray(String[]::new));
    }

    /** Matches if there is a data source, by the name of Spring Boot's own bean or by type, or a property names one. */
    static class OnDataSource extends OnNameOrType {
        OnDataSource() {
            super("dataSource");
        }

        @Conditional(OnText.SegmentDataSource.class)
        static class OfName {}

        @ConditionalOnBean(DataSource.class)
        static class OfType {}
    }
}
