package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The URL and the options of a builder, in the form that the core reads. */
final class Params {
    private final String url;
    private final List<String> namesAndValues = new ArrayList<>();

    Params(String url) {
        this.url = url;
    }

    void add(String name, String value) {
        namesAndValues.add(requireNonNull(name, "name"));
        namesAndValues.add(requireNonNull(value, "value"));
    }

    void add(String name, Duration value) {
        add(name, Times.decimalSeconds(value));
    }

    String url() {
        return Text.name("the URL", url, InvalidConfigException::new);
    }

    /** Returns names and values in turn. */
    String[] namesAndValues() {
        namesAndValues.forEach(text -> Text.name("an option", text, InvalidConfigException::new));
        return namesAndValues.toArray(String[]::new);
    }

    /** Checks the items of an option that is a list, and returns them; {@code null} stands for an unset option. */
    static String[] list(String name, String[] items) {
        for (String item : items == null ? new String[0] : items) {
            Text.name("an item of " + name, item, InvalidConfigException::new);
        }
        return items;
    }
}
