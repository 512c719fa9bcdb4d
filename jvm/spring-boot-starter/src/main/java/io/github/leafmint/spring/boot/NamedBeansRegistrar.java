package io.github.leafmint.spring.boot;

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
 * Registers a bean {@code <name><Type>} with the qualifier {@code <name>} for each name in a map of properties, unless
 * the application has a bean of that name.
 */
abstract class NamedBeansRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;
    private final String properties;
    private final Class<?> type;
    private final String factory;
    private final String method;

    /** Creates the registrar of the beans that a method of the bean {@code factory} makes. */
    NamedBeansRegistrar(Environment environment, String properties, Class<?> type, String factory, String method) {
        this.environment = environment;
        this.properties = properties;
        this.type = type;
        this.factory = factory;
        this.method = method;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        // Only the names are needed: to bind the records here would cost a start several milliseconds.
        Bindable<Map<String, Object>> byName = Bindable.mapOf(String.class, Object.class);
        for (String name : Binder.get(environment)
                .bind(properties, byName)
                .orElse(Map.of())
                .keySet()) {
            register(name, registry);
        }
    }

    private void register(String name, BeanDefinitionRegistry registry) {
        String beanName = name + type.getSimpleName();
        if (registry.containsBeanDefinition(beanName)) {
            return;
        }
        // A method with an argument, and no supplier: ahead-of-time processing writes this definition as code.
        var definition = new RootBeanDefinition(type);
        definition.setFactoryBeanName(factory);
        definition.setFactoryMethodName(method);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        registry.registerBeanDefinition(beanName, definition);
    }
}
