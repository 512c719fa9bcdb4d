package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Matches if {@code leafmint.segment.url} is set and not empty. */
class OnSegmentUrl extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean hasUrl = StringUtils.hasText(context.getEnvironment().getProperty("leafmint.segment.url"));
        ConditionMessage.Builder message = ConditionMessage.forCondition("leafmint.segment");
        return hasUrl
                ? ConditionOutcome.match(message.because("has a URL"))
                : ConditionOutcome.noMatch(message.because("has no URL"));
    }
}
