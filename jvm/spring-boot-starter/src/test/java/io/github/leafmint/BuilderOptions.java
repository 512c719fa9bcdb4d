package io.github.leafmint;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what a builder was given, which only leafmint's own package can see. */
public final class BuilderOptions {
    private BuilderOptions() {}

    /** Returns the options that are set, by name; the last value of each counts. */
    public static Map<String, String> of(SegmentGeneratorBuilder builder) {
        return read(builder);
    }

    /** Returns the options that are set, by name; the last value of each counts. */
    public static Map<String, String> of(SnowflakeGeneratorBuilder builder) {
        return read(builder);
    }

    private static Map<String, String> read(GeneratorBuilder<?> builder) {
        var options = new LinkedHashMap<String, String>();
        String[] texts = builder.namesAndValues();
        for (int at = 0; at < texts.length; at += 2) {
            options.put(texts[at], texts[at + 1]);
        }
        return options;
    }
}
