package io.github.leafmint;

/**
 * Says that the lease of the worker id has ended.
 *
 * <p>Another lease is sought in the background. Its code is {@code lease_lost}; the same call may succeed later.
 */
public final class LeaseLostException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public LeaseLostException(String message) {
        super("lease_lost", true, message);
    }
}
