package io.github.leafmint;

/** How the ids of one tag follow on one another. */
public enum Order {
    /** Ids strictly increase, whichever thread takes them. All threads share one counter. */
    STRICT,

    /**
     * Ids strictly increase for each thread, and not from thread to thread: each mints from a block of its own, of at
     * most 256 ids, so that threads do not slow one another down. What is left of blocks at a close is unused, and not
     * given back.
     */
    RELAXED
}
