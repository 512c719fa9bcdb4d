package io.github.leafmint.persistence;

import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts ids to the Java type of an id property. For integrations with frameworks.
 *
 * <pre>{@code
 * IdConversion conversion = IdConversion.to(String.class, "shop.Order.id");
 * if (IdConversion.isUnset(order.getId())) {
 *     order.setId((String) conversion.convert(ids.nextId()));
 * }
 * }</pre>
 */
public final class IdConversion {
    private static final Map<Class<?>, IdConversion> KNOWN = Map.of(
            long.class, new IdConversion(id -> id),
            Long.class, new IdConversion(id -> id),
            int.class, new IdConversion(IdConversion::toInt),
            Integer.class, new IdConversion(IdConversion::toInt),
            String.class, new IdConversion(Long::toString),
            BigInteger.class, new IdConversion(BigInteger::valueOf));

    private final LongFunction<Object> toType;

    private IdConversion(LongFunction<Object> toType) {
        this.toType = toType;
    }

    /**
     * Returns the conversion to a type.
     *
     * @param type the type of the property
     * @param property the name of the property, for the message
     * @return the conversion
     * @throws InvalidConfigException if the type can hold no id
     */
    public static IdConversion to(Class<?> type, String property) {
        IdConversion known = KNOWN.get(type);
        if (known != null) {
            return known;
        }
        if (TypedId.class.isAssignableFrom(type)) {
            return new IdConversion(new NewTypedId(type.asSubclass(TypedId.class)));
        }
        throw new InvalidConfigException("the id " + property + " is a " + type.getName()
                + ", which holds no id: make it a long, Long, int, Integer, String, BigInteger or TypedId");
    }

    /** Makes typed ids, unless they have no text: a service would store the row, and only then fail to show its id. */
    private static final class NewTypedId implements LongFunction<Object> {
        private final Class<? extends TypedId> type;

        /** Those that are known to have the keys of the class. */
        private volatile @Nullable TypedIds texts;

        NewTypedId(Class<? extends TypedId> type) {
            // Refuses a class that is not declared as it must be.
            TypedIds.getDefault().pattern(type);
            this.type = type;
        }

        @Override
        public Object apply(long id) {
            TypedIds present = TypedIds.getDefault();
            if (texts != present) {
                present.text(TypedId.of(type, 0));
                texts = present;
            }
            return TypedId.of(type, id);
        }
    }

    static boolean isPossible(Class<?> type) {
        return KNOWN.containsKey(type) || TypedId.class.isAssignableFrom(type);
    }

    /**
     * Returns whether a property has no id yet. Also 0 in a {@code Long} is none: clients that fill in an example send
     * it, and each would overwrite the row of the one before.
     *
     * @param value the value of the property
     * @return true for {@code null}, 0, a typed id of 0 and an empty text
     */
    public static boolean isUnset(@Nullable Object value) {
        Object id = value instanceof TypedId typed ? (Object) typed.value() : value;
        return id == null || id.equals(0L) || id.equals(0) || id.equals(BigInteger.ZERO) || id.equals("");
    }

    /**
     * Converts an id.
     *
     * @param id the id
     * @return the value for the property
     * @throws IdSpaceExhaustedException if the property is an {@code int} or {@code Integer} and the id is too large
     * @throws InvalidConfigException if the property is a {@code TypedId} whose keys are missing
     */
    public Object convert(long id) {
        return toType.apply(id);
    }

    /**
     * Refuses a property that cannot hold the text of a number of a series.
     *
     * @param annotation the annotation of the property
     * @param property the name of the property, for the message
     * @throws InvalidConfigException if the property is no {@code String}
     */
    public void requireText(SeriesValue annotation, String property) {
        if (this != KNOWN.get(String.class)) {
            throw new InvalidConfigException(
                    "the number " + property + " of series \"" + annotation.value() + "\" is no String: make it one");
        }
    }

    private static Object toInt(long id) {
        if (id != (int) id) {
            throw new IdSpaceExhaustedException(
                    "the id " + id + " does not fit an int: make the property a long, and its column a BIGINT");
        }
        return (int) id;
    }
}
