package io.github.leafmint.persistence;

import io.github.leafmint.ids.TypedId;
import java.lang.reflect.AnnotatedElement;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes of typed ids that an entity uses: those of its properties, of its superclasses, of its embedded
 * objects, and of the elements of its collections. For integrations with frameworks.
 *
 * <pre>{@code
 * Set<Class<? extends TypedId>> types = TypedIdClasses.of(Order.class); // OrderId, CustomerId
 * }</pre>
 */
public final class TypedIdClasses {
    private final Predicate<AnnotatedElement> isEmbedded;
    private final Set<Class<?>> seen = new HashSet<>();
    private final Set<Class<? extends TypedId>> found = new LinkedHashSet<>();

    private TypedIdClasses(Predicate<AnnotatedElement> isEmbedded) {
        this.isEmbedded = isEmbedded;
    }

    /**
     * Returns the classes that an entity uses, and all classes that its properties have.
     *
     * @param entity the class of the entity, or of anything else with properties
     * @return the classes, without {@link TypedId} itself and other abstract ones
     */
    public static Set<Class<? extends TypedId>> of(Class<?> entity) {
        return of(entity, element -> true);
    }

    /**
     * Returns the classes that a type uses, such as that of a parameter, and those in properties of an application's
     * classes.
     *
     * @param type the type
     * @param isOfApplication whether to look at the properties of a class
     * @return the classes, without {@link TypedId} itself and other abstract ones
     */
    public static Set<Class<? extends TypedId>> in(Type type, Predicate<Class<?>> isOfApplication) {
        var search = new TypedIdClasses(element -> element instanceof Class<?> named && isOfApplication.test(named));
        search.visit(type, false);
        return search.found;
    }

    /** Returns the classes that an entity uses, and its properties if they, or their classes, are embedded. */
    static Set<Class<? extends TypedId>> of(Class<?> entity, Predicate<AnnotatedElement> isEmbedded) {
        var search = new TypedIdClasses(isEmbedded);
        search.visitProperties(entity);
        return search.found;
    }

    private void visit(Type type, boolean embedded) {
        if (type instanceof Class<?> named) {
            visit(named, embedded || isEmbedded.test(named));
        } else if (type instanceof ParameterizedType generic) {
            visit(generic.getRawType(), embedded);
            visitAll(generic.getActualTypeArguments());
        } else if (type instanceof WildcardType wildcard) {
            visitAll(wildcard.getUpperBounds());
        } else if (type instanceof GenericArrayType array) {
            visit(array.getGenericComponentType(), embedded);
        }
    }

    private void visitAll(Type[] types) {
        for (Type type : types) {
            visit(type, false);
        }
    }

    private void visit(Class<?> type, boolean embedded) {
        if (type.isArray()) {
            visit((Type) type.getComponentType(), embedded);
        } else if (TypedId.class.isAssignableFrom(type)) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                found.add(type.asSubclass(TypedId.class));
            }
        } else if (embedded) {
            visitProperties(type);
        }
    }

    private void visitProperties(Class<?> type) {
        if (isOfPlatform(type) || !seen.add(type)) {
            return;
        }
        try {
            visitMembers(type);
        } catch (LinkageError missing) {
            // A class that mentions a library that is not there is no entity, or its framework says so.
        }
        visitDeclared(type::getGenericSuperclass, true);
    }

    private void visitMembers(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                visitDeclared(field::getGenericType, isEmbedded.test(field));
            }
        }
        // A property of Hibernate may be a getter.
        for (Method method : type.getDeclaredMethods()) {
            if (method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())) {
                visitDeclared(method::getGenericReturnType, isEmbedded.test(method));
            }
        }
    }

    /** Visits a type, unless it mentions a class that is not there. */
    private void visitDeclared(Supplier<@Nullable Type> declared, boolean embedded) {
        Type type;
        try {
            type = declared.get();
        } catch (LinkageError | TypeNotPresentException missing) {
            return;
        }
        if (type != null) {
            visit(type, embedded);
        }
    }

    private static boolean isOfPlatform(Class<?> type) {
        return type.isPrimitive()
                || type.isEnum()
                || type.getClassLoader() == null
                || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
    }
}
