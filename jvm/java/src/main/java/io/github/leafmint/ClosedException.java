package io.github.leafmint;

/**
 * Thrown if a generator is used after its close.
 *
 * <p>Open another generator. Code {@code closed}; a retry alone does not help.
 */
public final class ClosedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public ClosedException(String message) {
        super("closed", false, message);
    }
}
