package io.github.leafmint;

/**
 * Says that there was no id within the timeout.
 *
 * <p>Supply ran out and the store has not answered, or the waiting thread was interrupted: then its interrupt flag is
 * still set. The message holds the store's last error; leafmint goes on trying in the background. Its code is
 * {@code segment_unavailable}; the same call may succeed later.
 */
public final class SegmentUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public SegmentUnavailableException(String message) {
        super("segment_unavailable", true, message);
    }
}
