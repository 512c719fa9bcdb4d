package io.github.leafmint;

/**
 * Thrown if the clock is before a time that was already used, or is off the database's at the start.
 *
 * <p>Calls succeed again once the clock is right. Code {@code clock_moved_backwards}; the same call may succeed later.
 */
public final class ClockMovedBackwardsException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public ClockMovedBackwardsException(String message) {
        super("clock_moved_backwards", true, message);
    }
}
