package io.github.leafmint.spring.boot.data;

import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.spring.boot.persistence.IdSource;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

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
