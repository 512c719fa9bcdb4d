package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.ids.TypedId;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.reflection.Reflector;
import org.apache.ibatis.reflection.ReflectorFactory;
import org.springframework.core.ResolvableType;

/** Registers the typed ids of a class before MyBatis maps the class: it asks for the properties of each first. */
final class TypedIdReflectors implements ReflectorFactory {
    private final ReflectorFactory reflectors;
    private final TypedIdHandlers handlers;
    private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

    TypedIdReflectors(ReflectorFactory reflectors, TypedIdHandlers handlers) {
        this.reflectors = reflectors;
        this.handlers = handlers;
    }

    @Override
    public Reflector findForClass(Class<?> type) {
        if (TypedId.class.isAssignableFrom(type)) {
            handlers.register(type);
            // To MyBatis a private field is a property: the parameter #{value} would be that of the id.
            return reflectors.findForClass(Object.class);
        }
        Reflector reflector = reflectors.findForClass(type);
        if (!seen.contains(type)) {
            registerProperties(reflector);
            registerElements(type);
            seen.add(type);
        }
        return reflector;
    }

    private void registerProperties(Reflector reflector) {
        for (String property : reflector.getGetablePropertyNames()) {
            handlers.register(reflector.getGetterType(property));
        }
        for (String property : reflector.getSetablePropertyNames()) {
            handlers.register(reflector.getSetterType(property));
        }
    }

    /** Registers what collections hold: `foreach` passes each element as a parameter. */
    private void registerElements(Class<?> type) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (isCollection(field.getType())) {
                    var collection = ResolvableType.forField(field);
                    handlers.register(collection.getComponentType().toClass());
                    for (ResolvableType element : collection.getGenerics()) {
                        handlers.register(element.toClass());
                    }
                }
            }
        }
    }

    private static boolean isCollection(Class<?> type) {
        return type.isArray() || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    @Override
    public boolean isClassCacheEnabled() {
        return reflectors.isClassCacheEnabled();
    }

    @Override
    public void setClassCacheEnabled(boolean enabled) {
        reflectors.setClassCacheEnabled(enabled);
    }
}
