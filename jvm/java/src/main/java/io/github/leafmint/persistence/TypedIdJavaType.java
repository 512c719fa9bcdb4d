package io.github.leafmint.persistence;

import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.sql.Types;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/** Stores the typed ids of a class as numbers. */
final class TypedIdJavaType<T extends TypedId> extends AbstractClassJavaType<T> {
    private static final long serialVersionUID = 1L;

    TypedIdJavaType(Class<T> type) {
        super(type);
        // Refuses a class that is not declared as it must be.
        TypedIds.getDefault().pattern(type);
    }

    @Override
    public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
        return indicators.getJdbcType(Types.BIGINT);
    }

    @Override
    public boolean useObjectEqualsHashCode() {
        return true;
    }

    @Override
    public <X> @Nullable X unwrap(@Nullable T value, Class<X> type, WrapperOptions options) {
        if (value == null) {
            return null;
        }
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        if (type.isAssignableFrom(Long.class)) {
            return type.cast(value.value());
        }
        if (type == String.class) {
            return type.cast(toString(value));
        }
        throw unknownUnwrap(type);
    }

    @Override
    public <X> @Nullable T wrap(@Nullable X value, WrapperOptions options) {
        if (value == null) {
            return null;
        }
        if (getJavaTypeClass().isInstance(value)) {
            return getJavaTypeClass().cast(value);
        }
        if (value instanceof Number number) {
            return TypedId.of(getJavaTypeClass(), number.longValue());
        }
        throw unknownWrap(value.getClass());
    }

    /** Returns the number: what Hibernate writes into a JSON column, and not what a client sees. */
    @Override
    public String toString(T value) {
        return Long.toString(value.value());
    }

    @Override
    public T fromString(CharSequence number) {
        return TypedId.of(getJavaTypeClass(), Long.parseLong(number.toString()));
    }
}
