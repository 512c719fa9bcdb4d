package io.github.leafmint;

import java.util.Map;

/** Reads what a builder was given, which only leafmint's own package can see. */
public final class BuilderOptions {
    private BuilderOptions() {}

    /** Returns the options that are set, by name. */
    public static Map<String, Object> of(SegmentGeneratorBuilder builder) {
        return builder.options();
    }

    /** Returns the options that are set, by name. */
    public static Map<String, Object> of(SnowflakeGeneratorBuilder builder) {
        return builder.options();
    }
}
