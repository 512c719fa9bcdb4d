package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Matches if a property is set and not empty, unlike that of {@code ${VARIABLE:}}. */
abstract class OnText extends SpringBootCondition {
    private final String property;

    OnText(String property) {
        this.property = property;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean hasText = StringUtils.hasText(context.getEnvironment().getProperty(property));
        ConditionMessage.Builder message = ConditionMessage.forCondition(property);
        return hasText
                ? ConditionOutcome.match(message.because("is set"))
                : ConditionOutcome.noMatch(message.because("is not set"));
    }

    /** Matches if {@code leafmint.segment.url} is set. */
    static class SegmentUrl extends OnText {
        SegmentUrl() {
            super("leafmint.segment.url");
        }
    }

    /** Matches if {@code leafmint.segment.data-source} is set. */
    static class SegmentDataSource extends OnText {
        SegmentDataSource() {
            super("leafmint.segment.data-source");
        }
    }

    /** Matches if {@code leafmint.audit.url} is set. */
    static class AuditUrl extends OnText {
        AuditUrl() {
            super("leafmint.audit.url");
        }
    }
}
