package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SegmentGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Declares the segment generator, if there is a URL for it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "leafmint.segment", name = "enabled", matchIfMissing = true)
class SegmentConfiguration {
    /** The name of the bean. */
    static final String GENERATOR = "leafmintSegmentGenerator";

    @Bean(GENERATOR)
    @ConditionalOnMissingBean(SegmentGenerator.class)
    @Conditional(OnConnectionDetails.class)
    SegmentGenerator leafmintSegmentGenerator(
            LeafmintProperties properties,
            LeafmintConnectionDetails details,
            ObjectProvider<CredentialsSupplier> credentials,
            ObjectProvider<SegmentGeneratorBuilderCustomizer> customizers) {
        return new SegmentOpening(
                        properties.segment(),
                        details,
                        credentials.getIfAvailable(),
                        customizers.orderedStream().toList())
                .open();
    }

    /** Matches if it is known where segments come from. */
    static class OnConnectionDetails extends OnNameOrType {
        OnConnectionDetails() {
            super(ConnectionDetailsConfiguration.DETAILS);
        }

        @ConditionalOnBean(LeafmintConnectionDetails.class)
        static class OfType {}
    }
}
