package io.github.leafmint.spring.boot;

import java.util.function.BiConsumer;

/**
 * Passes on the options whose properties are set. It does so by their names: a start would pay for a class for each
 * reference to a method of the builder.
 */
final class OptionSetter {
    private final BiConsumer<String, Object> option;

    OptionSetter(BiConsumer<String, Object> option) {
        this.option = option;
    }

    /** Sets an option, unless {@code value} is null. */
    OptionSetter set(String name, Object value) {
        if (value != null) {
            option.accept(name, value);
        }
        return this;
    }
}
