package io.github.leafmint;

/**
 * Thrown if a store or a database could not be reached, or refused the call for now.
 *
 * <p>leafmint keeps trying to reach it in the background. It is also thrown if a thread is interrupted while it waits
 * for work that is not an id; then the interrupt flag is still set. Code {@code store_unavailable}; the same call may
 * succeed later.
 */
public final class StoreUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public StoreUnavailableException(String message) {
        super("store_unavailable", true, message);
    }
}
