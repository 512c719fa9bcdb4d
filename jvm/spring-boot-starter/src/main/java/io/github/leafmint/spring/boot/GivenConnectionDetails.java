package io.github.leafmint.spring.boot;

import org.jspecify.annotations.Nullable;

/** Connection details whose values are known; their text does not show the password. */
record GivenConnectionDetails(
        String url, @Nullable String username, @Nullable String password) implements LeafmintConnectionDetails {
    /** Spring asks for it at each start: the code that the JVM makes for records would take milliseconds. */
    @Override
    public int hashCode() {
        return url.hashCode();
    }

    @Override
    public String toString() {
        return "LeafmintConnectionDetails";
    }
}
