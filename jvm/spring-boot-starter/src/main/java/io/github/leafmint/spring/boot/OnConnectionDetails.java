package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** Matches if it is known where segments come from. */
class OnConnectionDetails extends OnNameOrType {
    OnConnectionDetails() {
        super(ConnectionDetailsConfiguration.DETAILS);
    }

    @ConditionalOnBean(LeafmintConnectionDetails.class)
    static class OfType {}
}
