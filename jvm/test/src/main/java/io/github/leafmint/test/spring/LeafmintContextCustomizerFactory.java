package io.github.leafmint.test.spring;

import java.util.List;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Makes the customizer of each test's context. Spring finds it in {@code META-INF/spring.factories}. */
final class LeafmintContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        return new LeafmintContextCustomizer(
                TestContextAnnotationUtils.findMergedAnnotation(testClass, LeafmintTestClock.class));
    }
}
