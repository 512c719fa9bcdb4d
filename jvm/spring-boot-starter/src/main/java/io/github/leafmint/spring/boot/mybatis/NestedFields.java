package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.ids.TypedId;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tells, by their types, whether parameters can have objects in them that have annotated fields. */
final class NestedFields {
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    boolean areIn(Object parameter) {
        if (parameter instanceof Map<?, ?> named) {
            return named.values().stream().anyMatch(this::areInValue);
        }
        return areInValue(parameter);
    }

    private boolean areInValue(Object value) {
        if (value instanceof Collection<?> many) {
            return many.stream().anyMatch(this::areInElement);
        }
        if (value instanceof Object[] many) {
            for (Object each : many) {
                if (areInElement(each)) {
                    return true;
                }
            }
            return false;
        }
        return areInElement(value);
    }

    private boolean areInElement(Object element) {
        if (element == null) {
            return false;
        }
        Boolean mayBe = known.get(element.getClass());
        return mayBe != null
                ? mayBe
                : known.computeIfAbsent(element.getClass(), type -> fieldsMayHold(type, new HashSet<>()));
    }

    private static boolean fieldsMayHold(Class<?> type, Set<Class<?>> seen) {
        if (isPlain(type)) {
            return false;
        }
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && mayHold(field.getGenericType(), seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean mayHold(Type type, Set<Class<?>> seen) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                if (mayHold(argument, seen)) {
                    return true;
                }
            }
            return generic.getRawType() instanceof Class<?> raw && !isContainer(raw) && mayHold(raw, seen);
        }
        if (type instanceof GenericArrayType array) {
            return mayHold(array.getGenericComponentType(), seen);
        }
        if (!(type instanceof Class<?> declared)) {
            return true;
        }
        if (declared.isArray()) {
            return mayHold(declared.getComponentType(), seen);
        }
        return !isPlain(declared) && seen.add(declared) && isOrMayHold(declared, seen);
    }

    private static boolean isOrMayHold(Class<?> type, Set<Class<?>> seen) {
        boolean isOpen = type == Object.class || Modifier.isAbstract(type.getModifiers());
        return isOpen || hasAnnotated(type) || fieldsMayHold(type, seen);
    }

    private static boolean hasAnnotated(Class<?> type) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (AnnotatedFields.isAnnotated(field)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Optional.class;
    }

    /** Numbers, texts, times, and other classes of the JDK that hold no objects of the application. */
    private static boolean isPlain(Class<?> type) {
        return type.isPrimitive()
                || type.isEnum()
                || TypedId.class.isAssignableFrom(type)
                || (type.getName().startsWith("java.") && type != Object.class && !isContainer(type));
    }
}
