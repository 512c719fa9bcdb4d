package io.github.leafmint;

/**
 * All ids that the layout has for this tick are used up, and the timeout ends before the next tick.
 *
 * <p>Its code is {@code rate_exceeded}; the same call may succeed later.
 */
public final class RateExceededException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public RateExceededException(String message) {
        super("rate_exceeded", true, message);
    }
}
