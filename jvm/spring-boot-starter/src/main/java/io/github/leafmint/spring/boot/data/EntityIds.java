package io.github.leafmint.spring.boot.data;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.ValueSource;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** The annotated properties of the entities that Spring Data maps. */
class EntityIds {
    private final IdSources sources;

    /** Looked up when the first entity is saved: the mapping needs the callbacks first. */
    private final ObjectProvider<? extends RelationalMappingContext> mapping;

    private final Map<Class<?>, List<Minted>> known = new ConcurrentHashMap<>();
    private final ChildIds children = new ChildIds();

    EntityIds(IdSources sources, ObjectProvider<? extends RelationalMappingContext> mapping) {
        this.sources = sources;
        this.mapping = mapping;
    }

    /** Returns the properties that are to be minted for an entity: those that are annotated and have no value. */
    List<Minted> toMint(Object entity) {
        List<Minted> annotated = known.computeIfAbsent(entity.getClass(), this::find);
        children.refuseUnset(entity);
        return annotated.isEmpty()
                ? annotated
                : annotated.stream().filter(property -> property.isDue(entity)).toList();
    }

    /** Returns the annotated properties without a value of an entity whose row is inserted, as new or not. */
    List<Minted> unset(Object entity) {
        List<Minted> annotated = known.get(entity.getClass());
        return annotated == null || annotated.isEmpty()
                ? List.of()
                : annotated.stream()
                        .filter(property -> property.isUnset(entity))
                        .toList();
    }

    private List<Minted> find(Class<?> type) {
        RelationalMappingContext mapped = mappingOf(type);
        if (mapped == null) {
            return List.of(); // saved by an application's own template
        }
        RelationalPersistentEntity<?> entity = mapped.getRequiredPersistentEntity(type);
        children.find(mapped, entity);
        var annotated = new ArrayList<Minted>();
        for (RelationalPersistentProperty property : entity) {
            String name = type.getName() + "." + property.getName();
            ValueSource values = sources.find(
                    IdAnnotations.only(property::findAnnotation, name),
                    () -> entity.getTableName().getReference(),
                    property.getType(),
                    name);
            if (values != null) {
                annotated.add(new Minted(entity, property, values));
            }
        }
        return List.copyOf(annotated);
    }

    /** With several databases there is a mapping for each, and that of the entity knows it by now. */
    private RelationalMappingContext mappingOf(Class<?> type) {
        for (RelationalMappingContext each : mapping) {
            if (each.hasPersistentEntityFor(type)) {
                return each;
            }
        }
        RelationalMappingContext only = mapping.getIfUnique();
        if (only == null && Stream.of(type.getDeclaredFields()).anyMatch(EntityIds::isAnnotated)) {
            throw new InvalidConfigException("no bean RelationalMappingContext knows " + type.getName()
                    + ", so leafmint cannot set its ids: declare the mapping of your template as a bean");
        }
        return only;
    }

    private static boolean isAnnotated(AnnotatedElement field) {
        return IdAnnotations.areOn(field::isAnnotationPresent);
    }

    /** An annotated property of a type of entity. */
    record Minted(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property, ValueSource values) {
        /** A property that is no key is minted for a new entity only: an old row may be without a value. */
        boolean isDue(Object of) {
            return isUnset(of) && (property.isIdProperty() || !entity.hasIdProperty() || entity.isNew(of));
        }

        private boolean isUnset(Object of) {
            return IdConversion.isUnset(entity.getPropertyAccessor(of).getProperty(property));
        }

        /** Sets the value; of a record, that makes another. */
        <T> T set(T of, Object value) {
            PersistentPropertyAccessor<T> accessor = entity.getPropertyAccessor(of);
            accessor.setProperty(property, value);
            return accessor.getBean();
        }
    }
}
