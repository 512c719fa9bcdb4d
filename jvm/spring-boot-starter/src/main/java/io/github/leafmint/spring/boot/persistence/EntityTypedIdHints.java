package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.TypedIdClasses;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.util.ClassUtils;

/** Keeps in a native image the constructors of the typed ids that entities have, in whatever package those are. */
class EntityTypedIdHints implements BeanFactoryInitializationAotProcessor {
    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        Set<Class<? extends TypedId>> types = new LinkedHashSet<>();
        if (isPresent("org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes")) {
            Jpa.entities(beans).forEach(entity -> types.addAll(TypedIdClasses.of(entity)));
        }
        if (isPresent("org.springframework.data.relational.RelationalManagedTypes")) {
            Relational.entities(beans).forEach(entity -> types.addAll(TypedIdClasses.of(entity)));
        }
        if (types.isEmpty()) {
            return null;
        }
        return (generated, code) -> types.forEach(type ->
                generated.getRuntimeHints().reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
    }

    private static boolean isPresent(String name) {
        return ClassUtils.isPresent(name, EntityTypedIdHints.class.getClassLoader());
    }

    private static final class Jpa {
        static Stream<Class<?>> entities(ConfigurableListableBeanFactory beans) {
            ClassLoader loader = beans.getBeanClassLoader();
            return beans.getBeanProvider(PersistenceManagedTypes.class).stream()
                    .flatMap(managed -> managed.getManagedClassNames().stream())
                    .map(name -> ClassUtils.resolveClassName(name, loader));
        }
    }

    private static final class Relational {
        static Stream<Class<?>> entities(ConfigurableListableBeanFactory beans) {
            return beans.getBeanProvider(RelationalManagedTypes.class).stream()
                    .flatMap(managed -> managed.toList().stream());
        }
    }
}
