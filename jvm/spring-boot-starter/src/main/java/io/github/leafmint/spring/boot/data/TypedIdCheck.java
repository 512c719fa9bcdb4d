package io.github.leafmint.spring.boot.data;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.TypedId;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;

/** Refuses a mapping that takes typed ids for entities, because the application's conversions do not know them. */
class TypedIdCheck implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RelationalMappingContext mapping) {
            mapping.getPersistentEntities().forEach(TypedIdCheck::refuseTypedId);
        }
        return bean;
    }

    private static void refuseTypedId(RelationalPersistentEntity<?> entity) {
        if (TypedId.class.isAssignableFrom(entity.getType())) {
            throw new InvalidConfigException("Spring Data would take the typed id "
                    + entity.getType().getName()
                    + " for an entity: add TypedIdConverters.all() to your custom conversions");
        }
    }
}
