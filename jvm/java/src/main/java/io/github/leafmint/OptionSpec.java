package io.github.leafmint;

/**
 * One row of the table of options.
 *
 * <pre>{@code
 * for (OptionSpec option : Leafmint.options()) {
 *     System.out.println(option.name() + ", by default " + option.defaultValue() + ": " + option.meaning());
 * }
 * }</pre>
 *
 * @param name the name, a query parameter in a URL; in camel case, a method of the builder
 * @param shape the kind of value: {@code duration}, {@code text}, {@code choice}, {@code boolean}, {@code list},
 *     {@code count} or {@code number}
 * @param defaultValue the default, as text; empty for none
 * @param meaning what the option does
 */
public record OptionSpec(String name, String shape, String defaultValue, String meaning) {}
