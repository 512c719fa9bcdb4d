package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import java.util.function.Supplier;

/** The properties of one tag, series or sequence are refused. */
final class RefusedPropertiesException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String prefix;

    private RefusedPropertiesException(String prefix, LeafmintException cause) {
        super(prefix + ": " + cause.getMessage(), cause);
        this.prefix = prefix;
    }

    /** Makes or creates a tag, series or sequence, and names the prefix of its properties if they are refused. */
    static <T> T naming(String prefix, Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidArgumentException | InvalidConfigException refused) {
            throw new RefusedPropertiesException(prefix, refused);
        }
    }

    /** Returns the prefix of the properties. */
    String prefix() {
        return prefix;
    }
}
