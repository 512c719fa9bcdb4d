package io.github.leafmint.spring.boot;

import io.github.leafmint.TypedIds;
import org.springframework.beans.factory.DisposableBean;

/** Makes the application's {@link TypedIds} the default, until the context closes. */
class DefaultTypedIds implements DisposableBean {
    private final TypedIds ids;

    DefaultTypedIds(TypedIds ids) {
        this.ids = ids;
        TypedIds.setDefault(ids);
    }

    /** Leaves the default of another context as it is. */
    @Override
    public void destroy() {
        if (TypedIds.getDefault() == ids) {
            TypedIds.setDefault(TypedIds.ofEnvironment());
        }
    }
}
