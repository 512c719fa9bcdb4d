package io.github.leafmint;

/**
 * Is what every failure of leafmint extends: one subclass per kind.
 *
 * <p>The code is the same in Rust, Python and Java. A message never holds a password. Arguments that are {@code null}
 * raise {@link NullPointerException} with the parameter's name; a bug in leafmint itself raises
 * {@link IllegalStateException}.
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

    /** Whether a retry can help. */
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
     * Tells whether the same call may succeed later without anybody changing anything.
     *
     * @return whether a retry can help
     */
    public final boolean retryable() {
        return retryable;
    }
}
