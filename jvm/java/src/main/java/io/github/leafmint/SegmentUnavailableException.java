package io.github.leafmint;

/**
 * Thrown if no id was available within the timeout, or if the waiting thread was interrupted.
 *
 * <p>The message holds the last error of the store. leafmint keeps trying to lease ids in the background. After an
 * interrupt the interrupt flag is still set. Code {@code segment_unavailable}; the same call may succeed later.
 */
public final class SegmentUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public SegmentUnavailableException(String message) {
        super("segment_unavailable", true, message);
    }
}
