package io.github.leafmint.spring.boot.data;

import io.github.leafmint.ids.TypedId;
import java.util.Set;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.mapping.AggregateReference;

/**
 * Makes Spring Data JDBC write references to aggregates by the number of a typed id. Version 3.5 converts a reference
 * to the class of its id, and writes what comes out.
 */
class TypedIdReferences implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof JdbcConverter converter
                && converter.getConversionService() instanceof ConverterRegistry registry) {
            registry.addConverter(new ReferenceToNumber());
        }
        return bean;
    }

    /** No custom conversion: Spring Data warns of those whose source no store knows. */
    private static final class ReferenceToNumber implements GenericConverter {
        @Override
        public Set<ConvertiblePair> getConvertibleTypes() {
            return Set.of(new ConvertiblePair(AggregateReference.class, TypedId.class));
        }

        @Override
        public Object convert(Object reference, TypeDescriptor from, TypeDescriptor to) {
            return reference instanceof AggregateReference<?, ?> of && of.getId() instanceof TypedId id
                    ? id.value()
                    : null;
        }
    }
}
