package io.github.leafmint.spring.boot.data;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** Annotated properties below the roots of aggregates: Spring Data has no callback for them, so they must be set. */
final class ChildIds {
    private final Map<Class<?>, Children> known = new ConcurrentHashMap<>();

    /** The annotated properties of an entity, and those that lead to entities with some. */
    private record Children(
            RelationalPersistentEntity<?> entity,
            List<RelationalPersistentProperty> minted,
            List<RelationalPersistentProperty> leading) {}

    /** Finds the annotated properties of an entity and of those below it. */
    void find(RelationalMappingContext mapping, RelationalPersistentEntity<?> root) {
        find(mapping, root, new HashSet<>());
    }

    private boolean find(RelationalMappingContext mapping, RelationalPersistentEntity<?> of, Set<Class<?>> seen) {
        if (!seen.add(of.getType())) {
            return false;
        }
        var children = new Children(of, new ArrayList<>(), new ArrayList<>());
        for (RelationalPersistentProperty property : of) {
            if (isMinted(property)) {
                children.minted.add(property);
            } else if (property.isEntity() && leads(mapping, property, seen)) {
                children.leading.add(property);
            }
        }
        known.put(of.getType(), children);
        return !children.minted.isEmpty() || !children.leading.isEmpty();
    }

    private boolean leads(RelationalMappingContext mapping, RelationalPersistentProperty property, Set<Class<?>> seen) {
        RelationalPersistentEntity<?> child = mapping.getPersistentEntity(property);
        return child != null && find(mapping, child, seen);
    }

    private static boolean isMinted(PersistentProperty<?> property) {
        return IdAnnotations.areOn(property::isAnnotationPresent);
    }

    /** Refuses an aggregate with a child whose id is not set. */
    void refuseUnset(Object of) {
        Children children = known.get(of.getClass());
        if (children == null || children.leading.isEmpty()) {
            return;
        }
        PersistentPropertyAccessor<?> values = children.entity.getPropertyAccessor(of);
        for (RelationalPersistentProperty property : children.leading) {
            for (Object child : elements(values.getProperty(property))) {
                if (child != null) {
                    refuseUnset(child, property);
                    refuseUnset(child);
                }
            }
        }
    }

    private void refuseUnset(Object child, RelationalPersistentProperty of) {
        Children children = known.get(child.getClass());
        if (children == null) {
            return;
        }
        PersistentPropertyAccessor<?> values = children.entity.getPropertyAccessor(child);
        for (RelationalPersistentProperty property : children.minted) {
            if (IdConversion.isUnset(values.getProperty(property))) {
                throw new InvalidConfigException("Spring Data lets leafmint set the ids of aggregate roots only, and "
                        + child.getClass().getName() + "." + property.getName() + " in " + of.getName()
                        + " is not set: set it with nextId(), or remove the annotation");
            }
        }
    }

    private static Collection<?> elements(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values();
        }
        return value instanceof Collection<?> many ? many : value == null ? List.of() : List.of(value);
    }
}
