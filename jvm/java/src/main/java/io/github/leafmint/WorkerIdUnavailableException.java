package io.github.leafmint;

/**
 * Thrown if no worker id is free, or if the waiting thread was interrupted.
 *
 * <p>The message names the number of worker ids that are taken, and until when. After an interrupt the interrupt flag
 * is still set. Code {@code worker_id_unavailable}; the same call may succeed later.
 */
public final class WorkerIdUnavailableException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public WorkerIdUnavailableException(String message) {
        super("worker_id_unavailable", true, message);
    }
}
