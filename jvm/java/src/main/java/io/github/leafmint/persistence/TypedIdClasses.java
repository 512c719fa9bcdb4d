package io.github.leafmint.persistence;

import io.github.leafmint.TypedId;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Finds the classes of typed ids that an entity uses: those of its properties, of its superclasses, of its embedded
 * objects, and of the elements of its collections. For integrations with frameworks.
 *
 * <pre>{@code
 * Set<Class<? extends TypedId>> types = TypedIdClasses.of(Order.class); // OrderId, CustomerId
 * }</pre>
 */
public final class TypedIdClasses {
    private final Set<Class<?>> seen = new HashSet<>();
    private final Set<Class<? extends TypedId>> found = new LinkedHashSet<>();

    private TypedIdClasses() {}

    /**
     * Returns the classes that an entity uses.
     *
     * @param entity the class of the entity, or of anything else with properties
     * @return the classes, without {@link TypedId} itself and other abstract ones
     */
    public static Set<Class<? extends TypedId>> of(Class<?> entity) {
        var search = new TypedIdClasses();
        search.visit(entity);
        return search.found;
    }

    private void visit(Type type) {
        if (type instanceof Class<?> named) {
            visit(named);
        } else if (type instanceof ParameterizedType generic) {
            visit(generic.getRawType());
            visitAll(generic.getActualTypeArguments());
        } else if (type instanceof WildcardType wildcard) {
            visitAll(wildcard.getUpperBounds());
        } else if (type instanceof GenericArrayType array) {
            visit(array.getGenericComponentType());
        }
    }

    private void visitAll(Type[] types) {
        for (Type type : types) {
            visit(type);
        }
    }

    private void visit(Class<?> type) {
        if (type.isArray()) {
            visit(type.getComponentType());
        } else if (TypedId.class.isAssignableFrom(type)) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                found.add(type.asSubclass(TypedId.class));
            }
        } else if (!isOfPlatform(type) && seen.add(type)) {
            visitProperties(type);
        }
    }

    private void visitProperties(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                visit(field.getGenericType());
            }
        }
        // A property of Hibernate may be a getter.
        for (Method method : type.getDeclaredMethods()) {
            if (method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())) {
                visit(method.getGenericReturnType());
            }
        }
        if (type.getGenericSuperclass() != null) {
            visit(type.getGenericSuperclass());
        }
    }

    /** Returns whether a class has no properties that a row holds: it is of the JDK, or belongs to no application. */
    private static boolean isOfPlatform(Class<?> type) {
        return type.isPrimitive()
                || type.isEnum()
                || type.getClassLoader() == null
                || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
    }
}
