package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a generator of either kind.
 *
 * <pre>{@code
 * @Bean
 * @Conditional(OnGenerator.class)
 * IdentifierGenerator identifierGenerator() {
 *     return new LeafmintIdentifierGenerator();
 * }
 * }</pre>
 */
public class OnGenerator extends AnyNestedCondition {
    /** Creates the condition: generators are looked for when all beans before are known. */
    public OnGenerator() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    /** Looks for the beans of the starter first: a search by type asks every bean of the application for its type. */
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        BeanFactory beans = context.getBeanFactory();
        for (String name : new String[] {SegmentConfiguration.GENERATOR, SnowflakeConfiguration.GENERATOR}) {
            if (beans != null && beans.containsBean(name)) {
                return ConditionOutcome.match(
                        ConditionMessage.forCondition("leafmint").foundExactly("bean " + name));
            }
        }
        return super.getMatchOutcome(context, metadata);
    }

    @ConditionalOnBean(SegmentGenerator.class)
    static class OnSegments {}

    @ConditionalOnBean(SnowflakeGenerator.class)
    static class OnSnowflakes {}
}
