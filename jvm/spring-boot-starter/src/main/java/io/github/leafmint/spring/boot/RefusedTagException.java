package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import java.util.function.Supplier;

/** The properties of one tag are refused. */
final class RefusedTagException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String tag;

    private RefusedTagException(String tag, LeafmintException cause) {
        super(prefix(tag) + ": " + cause.getMessage(), cause);
        this.tag = tag;
    }

    /** Makes or creates a tag, and names it if its properties are refused. */
    static <T> T naming(String tag, Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidArgumentException | InvalidConfigException refused) {
            throw new RefusedTagException(tag, refused);
        }
    }

    /** Returns the prefix of the properties of the tag. */
    String prefix() {
        return prefix(tag);
    }

    private static String prefix(String tag) {
        return "leafmint.segment.tags." + tag;
    }
}
