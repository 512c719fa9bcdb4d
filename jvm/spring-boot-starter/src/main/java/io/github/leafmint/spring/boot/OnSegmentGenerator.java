package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** Matches if there is a segment generator. */
class OnSegmentGenerator extends OnNameOrType {
    OnSegmentGenerator() {
        super(SegmentConfiguration.GENERATOR);
    }

    @ConditionalOnBean(SegmentGenerator.class)
    static class OfType {}
}
