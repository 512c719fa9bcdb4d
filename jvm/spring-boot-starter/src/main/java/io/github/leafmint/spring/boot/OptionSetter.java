package io.github.leafmint.spring.boot;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * Passes on the options whose properties are set. It does so by their names: a start would pay for a class for each
 * reference to a method of the builder.
 */
final class OptionSetter {
    private final BiConsumer<String, String> option;

    OptionSetter(BiConsumer<String, String> option) {
        this.option = option;
    }

    /** Sets an option, unless {@code value} is null. */
    OptionSetter set(String name, Object value) {
        if (value != null) {
            option.accept(name, text(value));
        }
        return this;
    }

    /** Returns a value as the builder's own methods write it. */
    private static String text(Object value) {
        if (value instanceof Duration duration) {
            BigDecimal fraction = BigDecimal.valueOf(duration.getNano(), 9);
            return BigDecimal.valueOf(duration.getSeconds()).add(fraction).toPlainString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        return value.toString();
    }
}
