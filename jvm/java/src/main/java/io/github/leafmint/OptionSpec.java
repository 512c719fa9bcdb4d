package io.github.leafmint;

/**
 * Describes one option of a generator.
 *
 * <pre>{@code
 * for (OptionSpec option : Leafmint.options()) {
 *     System.out.println(option.name() + ", by default " + option.defaultValue() + ": " + option.meaning());
 * }
 * }</pre>
 *
 * @param name its name: a query parameter in a URL, in camel case a method of the builder
 * @param shape what its value looks like: {@code duration}, {@code text}, {@code choice}, {@code boolean},
 *     {@code list}, {@code count} or {@code number}
 * @param defaultValue its default, as text; empty for none
 * @param meaning what it does
 */
public record OptionSpec(String name, String shape, String defaultValue, String meaning) {}
