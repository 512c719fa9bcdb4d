package io.github.leafmint;

/**
 * One row of the table of options.
 *
 * <pre>{@code
 * for (OptionSpec option : Leafmint.options()) {
 *     System.out.println(option.name() + ", by default " + option.defaultWords() + ": " + option.meaning());
 * }
 * }</pre>
 *
 * @param name the name, a query parameter in a URL; in camel case, a method of the builder
 * @param shape the kind of value: {@code duration}, {@code count}, {@code time}, {@code boolean}, {@code choice},
 *     {@code text}, {@code path}, {@code list} or {@code map}
 * @param values the values that it takes, in words
 * @param defaultValue the default, as in a URL; empty for none, or if it depends on something
 * @param defaultWords the default in words, also if it depends on something
 * @param meaning what the option does
 */
public record OptionSpec(
        String name, String shape, String values, String defaultValue, String defaultWords, String meaning) {}
