package io.github.leafmint;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;

/**
 * An id with a class of its own: a number in the database, a text for strangers everywhere else.
 *
 * <p>Its class declares the text with {@link IdForm}, and has a public constructor that takes the number.
 * {@link TypedIds} writes and reads the text. Two ids are equal if their classes and their numbers are.
 *
 * <pre>{@code
 * OrderId id = new OrderId(42);
 * String text = id.toString(); // order_4hq0q7ybr0e1v6wdnt9z2x8mk3
 * }</pre>
 */
public abstract class TypedId implements Comparable<TypedId>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Transient: libraries that write all fields of an object would show it to strangers. */
    private final transient long value;

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
        this.value = value;
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
     * Returns the number, for the database and for other services that may know it.
     *
     * @return the number
     */
    public final long value() {
        return value;
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

    /**
     * Returns true if the other object is of the same class and has the same number.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public final boolean equals(Object other) {
        return other instanceof TypedId id && value == id.value && getClass() == id.getClass();
    }

    /**
     * Returns the hash code of class and number.
     *
     * @return the hash code
     */
    @Override
    public final int hashCode() {
        return 31 * getClass().getName().hashCode() + Long.hashCode(value);
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
        return Long.compare(value, other.value);
    }

    /**
     * Returns what is serialised in place of this id.
     *
     * @return the class and the number
     */
    @Serial
    protected final Object writeReplace() {
        return new Serialized(getClass(), value);
    }

    @Serial
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("an id is serialised as its class and its number");
    }

    /** A class and a number. */
    private record Serialized(Class<? extends TypedId> type, long value) implements Serializable {
        @Serial
        private Object readResolve() {
            return of(type, value);
        }
    }
}
