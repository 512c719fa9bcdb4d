package io.github.leafmint.ids;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.jackson.TypedIdJson;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An id with a class of its own: a number in the database, a text for clients everywhere else.
 *
 * <p>Its class declares the text with {@link IdForm}, and has a public constructor that takes the number.
 * {@link TypedIds} writes and reads the text. Two ids are equal if their classes and their numbers are.
 *
 * <pre>{@code
 * OrderId id = new OrderId(42);
 * String text = id.toString(); // order_4hq0q7ybr0e1v6wdnt9z2x8mk3
 * }</pre>
 */
@TypedIdJson
public abstract class TypedId implements Comparable<TypedId>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Set in each number that a constructor stored: an object that no constructor made has 0 here. */
    private static final long MADE = Long.MIN_VALUE;

    private final long made;

    /** Never there: its class keeps libraries that write fields as JSON from showing the number. */
    @SuppressWarnings("unused")
    private final @Nullable NeedsTypeAdapter refusal = null;

    /**
     * Makes an id.
     *
     * @param value the number, not negative
     * @throws InvalidIdException if the number is negative
     */
    protected TypedId(long value) {
        if (value < 0) {
            throw new InvalidIdException(value + " is negative: an id is from 0 to " + Long.MAX_VALUE);
        }
        made = MADE | value;
    }

    /**
     * Makes an id of a class, for frameworks that know the class at run time only.
     *
     * @param <T> the class
     * @param type the class
     * @param value the number, not negative
     * @return the id
     * @throws InvalidConfigException if the class is not declared as {@link IdForm} asks
     * @throws InvalidIdException if the number is negative
     */
    public static <T extends TypedId> T of(Class<T> type, long value) {
        return type.cast(IdDeclaration.of(type).make(value));
    }

    /**
     * Mints an id of the tag that its class declares, or a snowflake, as {@link TypedIds#getDefault()} does.
     *
     * <pre>{@code
     * @IdForm(prefix = "order", tag = "order")
     * public final class OrderId extends TypedId {
     *     public OrderId(long value) {
     *         super(value);
     *     }
     *
     *     public static OrderId next() {
     *         return next(OrderId.class);
     *     }
     * }
     * }</pre>
     *
     * @param <T> the class
     * @param type the class
     * @return the id
     * @throws InvalidConfigException if the class declares neither a tag nor snowflakes, if no generator is configured,
     *     or if keys are missing
     * @throws LeafmintException as {@link io.github.leafmint.Tag#nextId()} and
     *     {@link io.github.leafmint.SnowflakeGenerator#nextId()} do
     */
    public static <T extends TypedId> T next(Class<T> type) {
        return TypedIds.getDefault().next(type);
    }

    /**
     * Returns the number, for the database and for other services that may know it.
     *
     * @return the number
     */
    public final long value() {
        if (made >= 0) {
            throw new InvalidArgumentException(getClass().getName()
                    + " was made without its constructor: a library that copies or maps objects does not know its id");
        }
        return made ^ MADE;
    }

    /**
     * Returns the text, as {@link TypedIds#getDefault()} writes it. Without keys it returns the name of the class and
     * of the error instead, because logs, debuggers and failed assertions call it too. It never returns the number,
     * unless the form is {@link IdForm.Form#FORMATTED} or {@link IdForm.Form#DECIMAL}.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        try {
            return TypedIds.getDefault().text(this);
        } catch (LeafmintException failure) {
            return getClass().getSimpleName() + "(" + failure.code() + ")";
        } catch (RuntimeException failureOfSupplier) {
            return getClass().getSimpleName() + "("
                    + failureOfSupplier.getClass().getSimpleName() + ")";
        }
    }

    /** Tells what reads Jackson's annotations without its codecs, as makers of schemas do, that an id is a text. */
    @JsonValue
    final String jsonText() {
        return TypedIds.getDefault().text(this);
    }

    /**
     * Returns true if the other object is of the same class and has the same number.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public final boolean equals(Object other) {
        return other instanceof TypedId id && getClass() == id.getClass() && value() == id.value();
    }

    /**
     * Returns the hash code of class and number.
     *
     * @return the hash code
     */
    @Override
    public final int hashCode() {
        return 31 * getClass().getName().hashCode() + Long.hashCode(value());
    }

    /**
     * Compares the numbers of two ids of one class.
     *
     * @param other the other id
     * @return a negative number, zero or a positive number, as this id is less than, equal to or greater than the other
     * @throws ClassCastException if the other id is of another class
     */
    @Override
    public final int compareTo(TypedId other) {
        if (getClass() != other.getClass()) {
            throw new ClassCastException(
                    getClass().getName() + " and " + other.getClass().getName() + " have no order");
        }
        return Long.compare(value(), other.value());
    }

    /**
     * Refuses to show this id as a bean. A mapper that writes the properties of objects, and knows nothing of this
     * class, would write an object without its id.
     *
     * @return nothing
     * @throws InvalidArgumentException always
     */
    public final Boolean isLeafmintTypedId() {
        throw new InvalidArgumentException(getClass().getName()
                + " has no properties to write: give this library a converter that calls TypedIds.text and parse");
    }

    /**
     * Returns what is serialised in place of this id.
     *
     * @return the class and the number
     * @throws InvalidArgumentException if a JDBC driver would bind the bytes as a parameter
     */
    @Serial
    protected final Object writeReplace() {
        if (BoundParameter.isBeingBound()) {
            throw new InvalidArgumentException(
                    getClass().getName() + " is not a parameter of JDBC: bind value(), the number");
        }
        return new Serialized(getClass(), MADE | value());
    }

    @Serial
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("an id is serialised as its class and its number");
    }

    /** Its field has the name of that below. Libraries refuse such a class, as one name is one member in JSON. */
    private static class NeedsTypeAdapter extends HasFieldOfSameName {
        @SuppressWarnings("unused")
        private byte typedId;
    }

    private static class HasFieldOfSameName {
        @SuppressWarnings("unused")
        private byte typedId;
    }

    /**
     * A class and a number. Not a record: libraries that serialise as Java does set its fields. Hessian sets that of
     * the id itself, so its name is the same.
     */
    private static final class Serialized implements Serializable {
        private static final long serialVersionUID = 1L;

        private final Class<? extends TypedId> type;
        private final long made;

        Serialized(Class<? extends TypedId> type, long made) {
            this.type = type;
            this.made = made;
        }

        @Serial
        private Object readResolve() throws InvalidObjectException {
            if (type == null || made >= 0) {
                throw new InvalidObjectException("the class or the number of an id is missing");
            }
            return of(type, made ^ MADE);
        }
    }
}
