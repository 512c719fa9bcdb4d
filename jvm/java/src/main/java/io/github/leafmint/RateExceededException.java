package io.github.leafmint;

/**
 * Thrown if all ids of the layout up to the timeout are used up.
 *
 * <p>Allow a longer timeout, or use a layout with more sequence bits. Code {@code rate_exceeded}; the same call may
 * succeed later.
 */
public final class RateExceededException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public RateExceededException(String message) {
        super("rate_exceeded", true, message);
    }
}
