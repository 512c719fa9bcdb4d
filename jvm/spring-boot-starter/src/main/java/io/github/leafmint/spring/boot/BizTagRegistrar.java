package io.github.leafmint.spring.boot;

import io.github.leafmint.BizTag;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean {@code <name>BizTag} with the qualifier {@code <name>} for each
 * {@code leafmint.segment.tags.<name>}, unless the application has a bean of that name.
 */
class BizTagRegistrar implements ImportBeanDefinitionRegistrar {
    /** The name of the bean that makes the tags. */
    static final String TAGS = "leafmintBizTags";

    private final Environment environment;

    BizTagRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        // Only the names are needed: to bind the tags' records here would cost a start several milliseconds.
        Bindable<Map<String, Object>> tags = Bindable.mapOf(String.class, Object.class);
        Map<String, Object> byName =
                Binder.get(environment).bind("leafmint.segment.tags", tags).orElse(Map.of());
        for (String name : byName.keySet()) {
            register(name, registry);
        }
    }

    private static void register(String name, BeanDefinitionRegistry registry) {
        String beanName = name + "BizTag";
        if (registry.containsBeanDefinition(beanName)) {
            return;
        }
        // A method with an argument, and no supplier: ahead-of-time processing writes this definition as code.
        var definition = new RootBeanDefinition(BizTag.class);
        definition.setFactoryBeanName(TAGS);
        definition.setFactoryMethodName("tag");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        registry.registerBeanDefinition(beanName, definition);
    }
}
