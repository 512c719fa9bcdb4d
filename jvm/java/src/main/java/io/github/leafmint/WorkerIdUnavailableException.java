package io.github.leafmint;

/**
 * Says that no worker id is free.
 *
 * <p>The message says how many are held, and until when. Its code is {@code worker_id_unavailable}; the same call may
 * succeed later.
 */
public final class WorkerIdUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public WorkerIdUnavailableException(String message) {
        super("worker_id_unavailable", true, message);
    }
}
