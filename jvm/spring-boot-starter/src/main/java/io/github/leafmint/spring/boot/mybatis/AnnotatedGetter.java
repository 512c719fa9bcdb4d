package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import java.lang.reflect.Method;

/** Annotations of leafmint on methods, which MyBatis would pass over: here the key is a field. */
final class AnnotatedGetter {
    private AnnotatedGetter() {}

    /** Refuses a type that has an annotated method, for which no annotated field was found. */
    static void refuse(Class<?> type) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                refuse(type, method);
            }
        }
    }

    private static void refuse(Class<?> type, Method method) {
        if (IdAnnotations.areOn(method::isAnnotationPresent)) {
            throw new InvalidConfigException("MyBatis would pass over the annotation of " + type.getName() + "."
                    + method.getName() + "(): annotate the field instead, in Kotlin without @get:");
        }
    }
}
