package io.github.leafmint.spring.boot;

import io.github.leafmint.ids.TypedIds;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.beans.factory.DisposableBean;

/** Makes the application's {@link TypedIds} the default, until the context closes. */
class DefaultTypedIds implements DisposableBean {
    /** Those of contexts that are open, as in tests and in hierarchies of contexts. */
    private static final Deque<DefaultTypedIds> OPEN = new ArrayDeque<>();

    private final TypedIds ids;

    DefaultTypedIds(TypedIds ids) {
        this.ids = ids;
        synchronized (OPEN) {
            OPEN.add(this);
            TypedIds.setDefault(ids);
        }
    }

    /** Returns to the newest context that is open, and leaves any other default as it is. */
    @Override
    public void destroy() {
        synchronized (OPEN) {
            OPEN.remove(this);
            if (TypedIds.getDefault() == ids) {
                TypedIds.setDefault(OPEN.isEmpty() ? TypedIds.ofEnvironment() : OPEN.getLast().ids);
            }
        }
    }
}
