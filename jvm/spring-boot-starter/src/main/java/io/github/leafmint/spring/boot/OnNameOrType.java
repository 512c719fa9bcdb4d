package io.github.leafmint.spring.boot;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a bean of a known name, or else if one of the nested conditions matches, which search by type.
 *
 * <p>A search by type asks every bean of the application for its type, which costs a start milliseconds.
 */
abstract class OnNameOrType extends AnyNestedCondition {
    private final String[] names;

    /** Creates the condition: beans are looked for when all that are declared before are known. */
    OnNameOrType(String... names) {
        super(ConfigurationPhase.REGISTER_BEAN);
        this.names = names;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        BeanFactory beans = context.getBeanFactory();
        for (String name : names) {
            if (beans != null && beans.containsBean(name)) {
                return ConditionOutcome.match(
                        ConditionMessage.forCondition("leafmint").foundExactly("bean " + name));
            }
        }
        return super.getMatchOutcome(context, metadata);
    }
}
