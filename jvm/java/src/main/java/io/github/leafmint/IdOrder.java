package io.github.leafmint;

/**
 * The order of the ids of a tag.
 *
 * <pre>{@code
 * Tag order = ids.tag("order", new TagOptions().order(IdOrder.RELAXED));
 * }</pre>
 */
public enum IdOrder {
    /** Ids strictly increase across all threads. All threads share one counter. */
    STRICT,

    /**
     * Ids strictly increase within each thread, but not across threads.
     *
     * <p>Each thread mints from a block of at most 256 ids, so that threads do not slow each other down. The rest of
     * the blocks at a close counts as unused and is not returned to the store.
     */
    RELAXED
}
