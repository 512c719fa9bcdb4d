package io.github.leafmint;

/**
 * One row of the table of options.
 *
 * <p>Only leafmint implements it: a later version may add methods.
 *
 * <pre>{@code
 * for (OptionSpec option : Leafmint.segmentOptions()) {
 *     System.out.println(option.name() + ", by default " + option.defaultWords() + ": " + option.meaning());
 * }
 * }</pre>
 */
public interface OptionSpec {
    /** {@return the name, a query parameter in a URL; in camel case, a method of the builder} */
    String name();

    /**
     * {@return the kind of value: {@code duration}, {@code count}, {@code time}, {@code boolean}, {@code choice},
     * {@code text}, {@code path}, {@code list} or {@code map}}
     */
    String shape();

    /** {@return the values that it takes, in words} */
    String values();

    /** {@return the default, as in a URL; empty for none, or if it depends on something} */
    String defaultValue();

    /** {@return the default in words, also if it depends on something} */
    String defaultWords();

    /** {@return what the option does} */
    String meaning();
}
