package io.github.leafmint;

/**
 * Says that the clock stands before a time that was already used.
 *
 * <p>It is over once the clock has caught up. Its code is {@code clock_moved_backwards}; the same call may succeed
 * later.
 */
public final class ClockMovedBackwardsException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public ClockMovedBackwardsException(String message) {
        super("clock_moved_backwards", true, message);
    }
}
