package io.github.leafmint.spring.boot.data;

import io.github.leafmint.ids.TypedId;
import java.util.List;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;

/**
 * Converters with which Spring Data stores typed ids of any class as numbers. An application that declares its own
 * {@code JdbcCustomConversions} or {@code R2dbcCustomConversions} adds them.
 *
 * <pre>{@code
 * @Bean
 * JdbcCustomConversions conversions() {
 *     return new JdbcCustomConversions(TypedIdConverters.all());
 * }
 * }</pre>
 */
public final class TypedIdConverters {
    private TypedIdConverters() {}

    /**
     * Returns the converters, which serve all classes of typed ids.
     *
     * @return the converters
     */
    public static List<Object> all() {
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
}
