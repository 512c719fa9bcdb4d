package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Matches if {@code leafmint.snowflake.enabled} is true, or not set although there is a {@code url}. */
class OnSnowflake extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        boolean hasUrl = StringUtils.hasText(environment.getProperty("leafmint.snowflake.url"));
        boolean enabled = environment.getProperty("leafmint.snowflake.enabled", Boolean.class, hasUrl);
        ConditionMessage.Builder message = ConditionMessage.forCondition("leafmint.snowflake");
        return enabled
                ? ConditionOutcome.match(message.because(hasUrl ? "has a URL" : "is enabled"))
                : ConditionOutcome.noMatch(message.because("has no URL, or is not enabled"));
    }
}
