package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SegmentGenerator;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Declares the segment generator, if there is a URL, a data source or a connection factory for it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "leafmint.segment", name = "enabled", matchIfMissing = true)
class SegmentConfiguration {
    /** The name of the bean. */
    static final String GENERATOR = "leafmintSegmentGenerator";

    @Bean(GENERATOR)
    @ConditionalOnMissingBean(SegmentGenerator.class)
    @Conditional(OnSource.class)
    SegmentGenerator leafmintSegmentGenerator(
            LeafmintProperties properties,
            GeneratorSources sources,
            ObjectProvider<CredentialsSupplier> credentials,
            ObjectProvider<SegmentGeneratorBuilderCustomizer> customizers) {
        return new SegmentOpening(
                        properties.segment(),
                        sources.ofSegments(),
                        credentials.getIfAvailable(),
                        customizers.orderedStream().toList())
                .open();
    }

    /** Matches if it is known where segments come from. */
    static class OnSource extends AnyNestedCondition {
        OnSource() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @Conditional(OnText.SegmentUrl.class)
        static class OfUrl {}

        @Conditional(OnText.SegmentDataSource.class)
        static class OfName {}

        @ConditionalOnBean(DataSource.class)
        static class OfType {}

        @ConditionalOnClass(name = "io.r2dbc.spi.ConnectionFactory")
        @ConditionalOnBean(type = "io.r2dbc.spi.ConnectionFactory")
        static class OfR2dbc {}
    }
}
