package io.github.leafmint.spring.boot;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/** Explains that the list of keys has a gap. Spring Boot's own analyzer would show the keys. */
class UnboundKeysFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException>
        implements Ordered {
    /** Ahead of Spring Boot's own. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        boolean isOfKeys = cause.getUnboundProperties().stream()
                .anyMatch(property -> property.getName().toString().startsWith(LeafmintProperties.ID_KEYS));
        if (!isOfKeys) {
            return null;
        }
        String action = "Number the properties " + LeafmintProperties.ID_KEYS + "[…] from 0 on, without a gap.";
        return new FailureAnalysis(cause.getMessage(), action, cause);
    }
}
