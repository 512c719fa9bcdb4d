package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.ValueSource;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The annotated fields of classes, those of their superclasses too. */
final class AnnotatedFields {
    private final Supplier<IdSources> sources;
    private final EntityTables tables;

    /** No ClassValue: parameters may be of classes of the JDK, which would keep an undeployed application loaded. */
    private final Map<Class<?>, List<AnnotatedField>> known = new ConcurrentHashMap<>();

    /** An annotated field, and where its values come from. */
    record AnnotatedField(String property, ValueSource values) {}

    AnnotatedFields(Supplier<IdSources> sources, EntityTables tables) {
        this.sources = sources;
        this.tables = tables;
    }

    List<AnnotatedField> of(Class<?> type) {
        // Not computeIfAbsent alone: it locks.
        List<AnnotatedField> fields = known.get(type);
        return fields == null ? known.computeIfAbsent(type, this::find) : fields;
    }

    private List<AnnotatedField> find(Class<?> type) {
        var annotated = new ArrayList<AnnotatedField>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (isAnnotated(field)) {
                    String name = type.getName() + "." + field.getName();
                    annotated.add(new AnnotatedField(settable(field, name), valuesOf(field, type, name)));
                }
            }
        }
        if (annotated.isEmpty()) {
            AnnotatedGetter.refuse(type);
        }
        return List.copyOf(annotated);
    }

    static boolean isAnnotated(Field field) {
        return IdAnnotations.areOn(field::isAnnotationPresent);
    }

    private ValueSource valuesOf(Field field, Class<?> type, String name) {
        return sources.get()
                .find(
                        IdAnnotations.only(field::getAnnotation, name),
                        () -> tables.table(type, name),
                        field.getType(),
                        name);
    }

    private static String settable(Field field, String name) {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new InvalidConfigException("MyBatis cannot set " + name
                    + ", which is final: take away the annotation, and mint the id where the object is made");
        }
        return field.getName();
    }
}
