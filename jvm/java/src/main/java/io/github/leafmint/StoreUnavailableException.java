package io.github.leafmint;

/**
 * Says that the store could not be reached, or refused for now.
 *
 * <p>The message names the store, without credentials. Its code is {@code store_unavailable}; the same call may succeed
 * later.
 */
public final class StoreUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public StoreUnavailableException(String message) {
        super("store_unavailable", true, message);
    }
}
