package io.github.leafmint;

/**
 * Thrown if the lease of a worker id has ended.
 *
 * <p>leafmint takes another lease in the background. Code {@code lease_lost}; the same call may succeed later.
 */
public final class LeaseLostException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public LeaseLostException(String message) {
        super("lease_lost", true, message);
    }
}
