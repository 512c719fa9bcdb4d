package io.github.leafmint.spring.boot;

import io.github.leafmint.ids.TypedId;
import java.util.List;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;

/** Keeps in a native image the constructors of the typed ids in the application's packages. */
class TypedIdHints implements BeanFactoryInitializationAotProcessor {
    @Override
    public BeanFactoryInitializationAotContribution processAheadOfTime(ConfigurableListableBeanFactory beans) {
        List<String> names =
                AutoConfigurationPackages.has(beans) ? names(AutoConfigurationPackages.get(beans)) : List.of();
        return names.isEmpty()
                ? null
                : (context, code) -> names.forEach(name -> context.getRuntimeHints()
                        .reflection()
                        .registerType(TypeReference.of(name), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
    }

    private static List<String> names(List<String> packages) {
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AssignableTypeFilter(TypedId.class));
        return packages.stream()
                .flatMap(name -> scanner.findCandidateComponents(name).stream())
                .map(found -> found.getBeanClassName())
                .toList();
    }
}
