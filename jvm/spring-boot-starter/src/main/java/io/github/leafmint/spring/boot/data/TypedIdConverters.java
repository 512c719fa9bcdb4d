package io.github.leafmint.spring.boot.data;

import io.github.leafmint.TypedId;
import java.util.List;
import java.util.Set;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.jdbc.core.mapping.AggregateReference;

/**
 * Converters with which Spring Data stores typed ids of any class as numbers. An application that declares its own
 * {@code JdbcCustomConversions} or {@code R2dbcCustomConversions} adds them.
 *
 * <pre>{@code
 * @Bean
 * JdbcCustomConversions conversions() {
 *     return new JdbcCustomConversions(TypedIdConverters.forJdbc());
 * }
 * }</pre>
 */
public final class TypedIdConverters {
    private TypedIdConverters() {}

    /**
     * Returns the converters for {@code JdbcCustomConversions}.
     *
     * @return the converters
     */
    public static List<Object> forJdbc() {
        return List.of(ToNumber.INSTANCE, OfNumber.INSTANCE, ReferenceToNumber.INSTANCE);
    }

    /**
     * Returns the converters for {@code R2dbcCustomConversions}.
     *
     * @return the converters
     */
    public static List<Object> forR2dbc() {
        return List.of(ToNumber.INSTANCE, OfNumber.INSTANCE);
    }

    @WritingConverter
    private enum ToNumber implements Converter<TypedId, Long> {
        INSTANCE;

        @Override
        public Long convert(TypedId id) {
            return id.value();
        }
    }

    @ReadingConverter
    private enum OfNumber implements ConverterFactory<Number, TypedId> {
        INSTANCE;

        @Override
        public <T extends TypedId> Converter<Number, T> getConverter(Class<T> type) {
            return number -> TypedId.of(type, number.longValue());
        }
    }

    /**
     * Returns the number of a reference. Spring Data 3.5 converts a reference to the class of its id, and writes what
     * comes out. It is no writing converter: those make a simple type of every reference.
     */
    @ReadingConverter
    private enum ReferenceToNumber implements GenericConverter {
        INSTANCE;

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
