package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.ids.TypedId;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.type.TypeHandlerRegistry;

/**
 * Registers a type handler for each class of typed ids that one MyBatis comes across. A handler of the superclass could
 * write all of them, and read none: it is not told the class.
 */
final class TypedIdHandlers {
    private final TypeHandlerRegistry registry;
    private final Set<Class<?>> registered = ConcurrentHashMap.newKeySet();

    TypedIdHandlers(TypeHandlerRegistry registry) {
        this.registry = registry;
    }

    void register(Class<?> type) {
        if (TypedId.class.isAssignableFrom(type)
                && !Modifier.isAbstract(type.getModifiers())
                && !registered.contains(type)) {
            registerNew(type.asSubclass(TypedId.class));
        }
    }

    private synchronized <T extends TypedId> void registerNew(Class<T> type) {
        // The application may have its own.
        if (!registry.hasTypeHandler(type)) {
            registry.register(type, new TypedIdTypeHandler<>(type));
        }
        registered.add(type);
    }
}
