package io.github.leafmint.persistence;

import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidConfigException;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts ids to the Java type of an id property. For integrations with frameworks.
 *
 * <pre>{@code
 * IdConversion conversion = IdConversion.to(String.class, "shop.Order.id");
 * if (conversion.isUnset(order.getId())) {
 *     order.setId((String) conversion.convert(ids.nextId()));
 * }
 * }</pre>
 */
public final class IdConversion {
    private static final Map<Class<?>, IdConversion> KNOWN = Map.of(
            long.class, new IdConversion(Long.class, 0L),
            Long.class, new IdConversion(Long.class, null),
            int.class, new IdConversion(Integer.class, 0),
            Integer.class, new IdConversion(Integer.class, null),
            String.class, new IdConversion(String.class, null),
            BigInteger.class, new IdConversion(BigInteger.class, null));

    /** What an id becomes. */
    private final Class<?> type;

    /** Besides {@code null}, the value of a new entity's property. */
    private final @Nullable Object unset;

    private IdConversion(Class<?> type, @Nullable Object unset) {
        this.type = type;
        this.unset = unset;
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
        if (known == null) {
            throw new InvalidConfigException("the id " + property + " is a " + type.getName()
                    + ", which holds no id: make it a long, Long, int, Integer, String or BigInteger");
        }
        return known;
    }

    static boolean isPossible(Class<?> type) {
        return KNOWN.containsKey(type);
    }

    /**
     * Returns whether a property has no id yet.
     *
     * @param value the value of the property
     * @return true for {@code null}, and for 0 in a {@code long} or {@code int}
     */
    public boolean isUnset(@Nullable Object value) {
        return value == null || value.equals(unset);
    }

    /**
     * Converts an id.
     *
     * @param id the id
     * @return the value for the property
     * @throws IdSpaceExhaustedException if the property is an {@code int} or {@code Integer} and the id is too large
     */
    public Object convert(long id) {
        if (type == Integer.class) {
            return toInt(id);
        }
        if (type == String.class) {
            return Long.toString(id);
        }
        return type == BigInteger.class ? BigInteger.valueOf(id) : (Object) id;
    }

    /**
     * Refuses a property that cannot hold the text of a number of a series, or whose annotation also has a tag.
     *
     * @param annotation the annotation of the property, with a series
     * @param property the name of the property, for the message
     * @throws InvalidConfigException if the property is no {@code String}, or the annotation has both
     */
    public void requireText(LeafmintId annotation, String property) {
        if (type != String.class) {
            throw new InvalidConfigException(
                    "the number " + property + " of series \"" + annotation.series() + "\" is no String: make it one");
        }
        if (!annotation.value().isEmpty()) {
            throw new InvalidConfigException("@LeafmintId of " + property + " has the tag \"" + annotation.value()
                    + "\" and the series \"" + annotation.series() + "\": leave one out");
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
