package io.github.leafmint;

import java.util.function.LongConsumer;

/**
 * Owns a native value, which is freed once this cannot be reached any more. A copy of an object, which some mocking
 * libraries make field by field, shares its handle, and so keeps the value.
 */
final class Handle {
    private final long value;

    /** Takes a native value over. */
    Handle(long value, LongConsumer free) {
        this.value = value;
        Reaper.freeWhenUnreachable(this, value, free);
    }

    /**
     * Returns the native value of {@code owner}, which has to stay reachable while the value is used.
     *
     * @throws InvalidArgumentException if there is none, because the constructor did not run
     */
    static long valueOf(Handle handle, Object owner) {
        if (handle == null) {
            throw withoutConstructor(owner);
        }
        return handle.value;
    }

    /** Makes the exception of an object whose constructor did not run. */
    static InvalidArgumentException withoutConstructor(Object owner) {
        return new InvalidArgumentException(
                "this " + owner.getClass().getSimpleName() + " was made without its constructor, as mocking and "
                        + "serialisation libraries do: use one that leafmint made, or mock LongSupplier");
    }
}
