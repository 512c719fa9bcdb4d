package io.github.leafmint.internal.natives;

import io.github.leafmint.InvalidArgumentException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Owns a native value and frees it when this object becomes unreachable.
 *
 * <p>A field-by-field copy of an owner, as mocking libraries make one, shares the handle and so keeps the value alive.
 */
public final class Handle {
    private final long value;

    /** Takes ownership of a native value. */
    public Handle(long value, LongConsumer free) {
        this.value = value;
        Reaper.freeWhenUnreachable(this, value, free);
    }

    /** Returns the native value, which is valid as long as this handle is reachable. */
    public long value() {
        return value;
    }

    /**
     * Returns the native value of {@code owner}, which must stay reachable while the value is used.
     *
     * @throws InvalidArgumentException if there is none because the constructor of {@code owner} did not run
     */
    public static long valueOf(@Nullable Handle handle, Object owner) {
        if (handle == null) {
            throw withoutConstructor(owner);
        }
        return handle.value;
    }

    /** Creates the exception for an object whose constructor did not run. */
    public static InvalidArgumentException withoutConstructor(Object owner) {
        return new InvalidArgumentException("this " + owner.getClass().getSimpleName()
                + " was made without its constructor, as mocking and serialisation libraries do: use one that leafmint"
                + " made, or mock LongSupplier");
    }
}
