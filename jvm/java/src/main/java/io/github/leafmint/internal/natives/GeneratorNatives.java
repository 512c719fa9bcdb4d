package io.github.leafmint.internal.natives;

/**
 * The native methods of the generators of each mode, also for what must not refer to a generator. No method references,
 * because a start would pay for a class for each.
 *
 * <p>Each method is passed the native generator, which must stay reachable until it returns.
 */
public enum GeneratorNatives {
    SEGMENTS,
    SNOWFLAKES;

    /**
     * Opens a native generator.
     *
     * @param questions what the core asks, 0 for nothing; if it asks for connections, there is no URL
     */
    public long open(String url, OptionValues options, long questions) {
        return this == SEGMENTS
                ? Native.segmentOpen(url, options.texts, options.numbers, questions)
                : Native.snowflakeOpen(url, options.texts, options.numbers, questions);
    }

    /** Begins what the option {@code eager} asks for, and returns pending work. */
    public long makeReady(long generator) {
        return this == SEGMENTS ? Native.segmentMakeReady(generator) : Native.snowflakeMakeReady(generator);
    }

    /** Returns what {@link #makeReady} waits for, for messages. */
    public String readies() {
        return this == SEGMENTS ? "the store" : "a worker id";
    }

    /** Returns the option {@code close_at_exit}. */
    public boolean closesAtExit(long generator) {
        return this == SEGMENTS ? Native.segmentClosesAtExit(generator) : Native.snowflakeClosesAtExit(generator);
    }

    /** Returns the scope. */
    public String scope(long generator) {
        return this == SEGMENTS ? Native.segmentScope(generator) : Native.snowflakeScope(generator);
    }

    /** Begins the close, and returns pending work. */
    public long beginClose(long generator) {
        return this == SEGMENTS ? Native.segmentBeginClose(generator) : Native.snowflakeBeginClose(generator);
    }

    /**
     * Closes and frees the generator.
     *
     * @param questions what it asks, which ends after the close; 0 for nothing
     */
    public void free(long generator, long questions) {
        if (this == SEGMENTS) {
            Native.segmentFree(generator, questions);
        } else {
            Native.snowflakeFree(generator, questions);
        }
    }
}
