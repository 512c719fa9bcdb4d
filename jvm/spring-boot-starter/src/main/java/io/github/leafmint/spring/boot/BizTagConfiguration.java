package io.github.leafmint.spring.boot;

import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Declares a bean for each tag of the properties, if there is a segment generator. */
@Configuration(proxyBeanMethods = false)
@Conditional(BizTagConfiguration.OnSegmentGenerator.class)
@Import(BizTagConfiguration.Registrar.class)
class BizTagConfiguration {
    /** The name of the bean that makes the tags. */
    private static final String TAGS = "leafmintBizTags";

    /** Lazy: an application with several generators, and none that is primary, may have no tags to inject. */
    @Bean(TAGS)
    @Lazy
    BizTags leafmintBizTags(SegmentGenerator ids, LeafmintProperties properties) {
        return new BizTags(ids, properties);
    }

    /**
     * Registers a bean {@code <name>BizTag} with the qualifier {@code <name>} for each
     * {@code leafmint.segment.tags.<name>}, unless the application has a bean of that name.
     */
    static class Registrar implements ImportBeanDefinitionRegistrar {
        private final Environment environment;

        Registrar(Environment environment) {
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

    /** Makes the beans of the tags, with the gene bits and the order that their properties have. */
    static class BizTags {
        private final SegmentGenerator ids;
        private final LeafmintProperties properties;

        BizTags(SegmentGenerator ids, LeafmintProperties properties) {
            this.ids = ids;
            this.properties = properties;
        }

        BizTag tag(String name) {
            LeafmintProperties.Tag tag = properties.segment().tags().get(name);
            // A tag that was configured when the application was compiled ahead of time may be gone now.
            return tag == null
                    ? ids.bizTag(name)
                    : RefusedTagException.naming(name, () -> ids.bizTag(name, tag.geneBits(), tag.order()));
        }
    }

    /** Matches if there is a segment generator. */
    static class OnSegmentGenerator extends OnNameOrType {
        OnSegmentGenerator() {
            super(SegmentConfiguration.GENERATOR);
        }

        @ConditionalOnBean(SegmentGenerator.class)
        static class OfType {}
    }
}
