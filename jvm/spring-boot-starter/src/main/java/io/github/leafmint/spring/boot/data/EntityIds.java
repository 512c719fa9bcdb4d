package io.github.leafmint.spring.boot.data;

import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.persistence.LeafmintId;
import io.github.leafmint.persistence.SnowflakeId;
import io.github.leafmint.spring.boot.persistence.IdSource;
import io.github.leafmint.spring.boot.persistence.IdSources;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** The annotated ids of the entities that Spring Data maps. */
class EntityIds {
    private final IdSources sources;

    /** Looked up when the first entity is saved: the mapping needs the callbacks first. */
    private final ObjectProvider<? extends RelationalMappingContext> mapping;

    private final Map<Class<?>, Optional<EntityId>> known = new ConcurrentHashMap<>();

    EntityIds(IdSources sources, ObjectProvider<? extends RelationalMappingContext> mapping) {
        this.sources = sources;
        this.mapping = mapping;
    }

    /** Returns the id that is to be minted for an entity; empty if it has one, or no annotation. */
    Optional<EntityId> toMint(Object entity) {
        return known.computeIfAbsent(entity.getClass(), this::find).filter(id -> id.isUnset(entity));
    }

    private Optional<EntityId> find(Class<?> type) {
        // With several databases there is a mapping for each, and that of the entity knows it by now.
        RelationalMappingContext mapped = mapping.stream()
                .filter(each -> each.hasPersistentEntityFor(type))
                .<RelationalMappingContext>map(each -> each)
                .findFirst()
                .orElseGet(mapping::getObject);
        RelationalPersistentEntity<?> entity = mapped.getRequiredPersistentEntity(type);
        RelationalPersistentProperty property = entity.getIdProperty();
        if (property == null) {
            return Optional.empty();
        }
        IdSource source = sources.find(
                property.findAnnotation(LeafmintId.class),
                property.findAnnotation(SnowflakeId.class),
                () -> entity.getTableName().getReference());
        return Optional.ofNullable(source)
                .map(ids -> new EntityId(
                        entity,
                        property,
                        IdConversion.to(property.getType(), type.getName() + "." + property.getName()),
                        ids));
    }

    /** The annotated id of a type of entity. */
    record EntityId(
            RelationalPersistentEntity<?> entity,
            RelationalPersistentProperty property,
            IdConversion conversion,
            IdSource source) {
        boolean isUnset(Object of) {
            return conversion.isUnset(entity.getPropertyAccessor(of).getProperty(property));
        }

        /** Sets the id; of a record, that makes another. */
        <T> T set(T of, long id) {
            PersistentPropertyAccessor<T> accessor = entity.getPropertyAccessor(of);
            accessor.setProperty(property, conversion.convert(id));
            return accessor.getBean();
        }
    }
}
