package io.github.leafmint;

/**
 * Says that the generator was closed.
 *
 * <p>Open another one. Its code is {@code closed}; a retry alone does not help.
 */
public final class ClosedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public ClosedException(String message) {
        super("closed", false, message);
    }
}
