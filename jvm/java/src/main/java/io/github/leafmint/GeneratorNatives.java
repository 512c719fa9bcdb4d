package io.github.leafmint;

import org.jspecify.annotations.Nullable;

/**
 * The native methods of one kind of generator. A class, because a start would pay for a class for each method
 * reference.
 *
 * <p>Each method is passed the native generator, which must stay reachable until it returns.
 */
abstract class GeneratorNatives {
    /**
     * Opens a native generator.
     *
     * @param list the option that is a list; {@code null} if it is not set
     * @param questions what answers questions for credentials, 0 for nothing
     */
    abstract long open(String url, String[] namesAndValues, String @Nullable [] list, long questions);

    /** Begins what the option {@code eager} asks for, and returns pending work. */
    abstract long makeReady(long generator);

    /** Returns what {@link #makeReady} waits for, for messages. */
    abstract String readies();

    /** Returns the option {@code close_at_exit}. */
    abstract boolean closesAtExit(long generator);

    /** Returns the scope. */
    abstract String scope(long generator);

    /** Begins the close, and returns pending work. */
    abstract long beginClose(long generator);

    /** Closes and frees the generator. */
    abstract void free(long generator);
}
