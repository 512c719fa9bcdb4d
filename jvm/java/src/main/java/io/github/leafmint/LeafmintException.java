package io.github.leafmint;

/**
 * Base class of all leafmint exceptions: one subclass per kind of failure.
 *
 * <p>The code is the same in Rust, Python and Java. A message never contains a password. Two failures are not of this
 * class: {@link NullPointerException} with the name of the parameter for an argument that is {@code null}, and
 * {@link IllegalStateException} for a bug in leafmint.
 *
 * <pre>{@code
 * try {
 *     return order.nextId(Duration.ofMillis(50));
 * } catch (LeafmintException e) {
 *     if (e.retryable()) {
 *         return askAgainLater();
 *     }
 *     throw e;
 * }
 * }</pre>
 */
public abstract sealed class LeafmintException extends RuntimeException
        permits InvalidConfigException,
                InvalidArgumentException,
                UnknownTagException,
                SegmentUnavailableException,
                StoreUnavailableException,
                StoreRegressedException,
                WorkerIdUnavailableException,
                LeaseLostException,
                ClockMovedBackwardsException,
                IdSpaceExhaustedException,
                RateExceededException,
                InvalidIdException,
                ClosedException {
    private static final long serialVersionUID = 1L;

    /** The code that all languages share. */
    private final String code;

    /** Whether a retry can succeed. */
    private final boolean retryable;

    LeafmintException(String code, boolean retryable, String message) {
        super(message);
        this.code = code;
        this.retryable = retryable;
    }

    /**
     * Returns the code that all languages share, for example {@code unknown_tag}.
     *
     * @return the code
     */
    public final String code() {
        return code;
    }

    /**
     * Returns whether the same call may succeed later although nothing is changed.
     *
     * @return whether a retry can succeed
     */
    public final boolean retryable() {
        return retryable;
    }
}
