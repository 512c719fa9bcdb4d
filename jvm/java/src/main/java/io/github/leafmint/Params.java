package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        return Text.nameInConfig("the URL", url);
    }

    /** Returns names and values in turn. */
    String[] namesAndValues() {
        for (String text : namesAndValues) {
            Text.nameInConfig("an option", text);
        }
        return namesAndValues.toArray(new String[0]);
    }

    /** Checks the items of an option that is a list, and returns them; {@code null} stands for an unset option. */
    static String @Nullable [] list(String name, String @Nullable [] items) {
        for (String item : items == null ? new String[0] : items) {
            Text.nameInConfig("an item of " + name, item);
        }
        return items;
    }
}
