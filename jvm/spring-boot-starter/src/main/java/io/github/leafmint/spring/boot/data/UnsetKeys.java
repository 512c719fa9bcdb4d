package io.github.leafmint.spring.boot.data;

import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import org.springframework.context.ApplicationListener;
import org.springframework.core.NativeDetector;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.context.MappingContextEvent;
import org.springframework.data.mapping.model.BeanWrapperPropertyAccessorFactory;
import org.springframework.data.mapping.model.ClassGeneratingPropertyAccessorFactory;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.InstantiationAwarePropertyAccessorFactory;
import org.springframework.data.mapping.model.PersistentPropertyAccessorFactory;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;

/**
 * Makes Spring Data take an entity for new whose minted key is 0, also if the key is no {@code long}: it asks the
 * entity for its key, and takes all but {@code null} for that of a row.
 */
class UnsetKeys implements ApplicationListener<MappingContextEvent<?, ?>> {
    @Override
    public void onApplicationEvent(MappingContextEvent<?, ?> event) {
        if (event.getPersistentEntity() instanceof RelationalPersistentEntity<?> entity && entity.hasIdProperty()) {
            PersistentProperty<?> key = entity.getRequiredIdProperty();
            if (isMinted(key) && !key.getType().isPrimitive()) {
                entity.setPersistentPropertyAccessorFactory(new Accessors(key, ofSpringData(entity)));
            }
        }
    }

    private static boolean isMinted(PersistentProperty<?> property) {
        return IdAnnotations.areOn(property::isAnnotationPresent);
    }

    /** Returns what a mapping sets, and does not tell. */
    private static PersistentPropertyAccessorFactory ofSpringData(PersistentEntity<?, ?> entity) {
        var generated = new ClassGeneratingPropertyAccessorFactory();
        return new InstantiationAwarePropertyAccessorFactory(
                NativeDetector.inNativeImage() || !generated.isSupported(entity)
                        ? BeanWrapperPropertyAccessorFactory.INSTANCE
                        : generated,
                new EntityInstantiators());
    }

    private record Accessors(PersistentProperty<?> key, PersistentPropertyAccessorFactory ofSpringData)
            implements PersistentPropertyAccessorFactory {
        @Override
        public <T> PersistentPropertyAccessor<T> getPropertyAccessor(PersistentEntity<?, ?> entity, T bean) {
            return new Accessor<>(key, ofSpringData.getPropertyAccessor(entity, bean));
        }

        @Override
        public boolean isSupported(PersistentEntity<?, ?> entity) {
            return ofSpringData.isSupported(entity);
        }
    }

    private record Accessor<T>(PersistentProperty<?> key, PersistentPropertyAccessor<T> ofSpringData)
            implements PersistentPropertyAccessor<T> {
        @Override
        public Object getProperty(PersistentProperty<?> property) {
            Object value = ofSpringData.getProperty(property);
            return property.equals(key) && IdConversion.isUnset(value) ? null : value;
        }

        @Override
        public void setProperty(PersistentProperty<?> property, Object value) {
            ofSpringData.setProperty(property, value);
        }

        @Override
        public T getBean() {
            return ofSpringData.getBean();
        }
    }
}
