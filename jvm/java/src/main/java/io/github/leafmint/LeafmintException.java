package io.github.leafmint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Base class of all leafmint exceptions: one subclass per kind of failure. A later version may add kinds.
 *
 * <p>The code is the same in Rust, Python and Java. {@link #getCause()} is the leafmint exception behind this one, or
 * an {@link java.io.IOException} with the error of the system, and for {@link GaplessSequence} the exception of the
 * driver; what a server answered is {@link #serverCode()}. A message never contains a password. Two failures are not of
 * this class: {@link NullPointerException} with the name of the parameter for an argument that is {@code null}, and
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
public abstract class LeafmintException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code that all languages share. */
    private final String code;

    /** Whether a retry can succeed. */
    private final boolean retryable;

    /** Why it failed. */
    private @Nullable String reason;

    /** The server's own number or state. */
    private @Nullable String serverCode;

    /** The options whose values are wrong. */
    private String[] options = {};

    LeafmintException(String code, boolean retryable, String message) {
        super(message);
        this.code = code;
        this.retryable = retryable;
    }

    /**
     * Adds what is known of a failure besides its kind: reason and server code, options and cause. Native code calls
     * it.
     */
    static void explain(
            LeafmintException failure, @Nullable String[] facts, String[] options, @Nullable Throwable cause) {
        failure.reason = facts[0];
        failure.serverCode = facts[1];
        failure.options = options;
        if (cause != null) {
            failure.initCause(cause);
        }
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

    /**
     * Returns why it failed, for example {@code missing_table}, if that is one of the reasons that programs ask for.
     *
     * @return the reason, or {@code null}
     */
    public final @Nullable String reason() {
        return reason;
    }

    /**
     * Returns the server's own code: the number of MySQL, MariaDB or ZooKeeper, the SQLSTATE of PostgreSQL, or SQLite's
     * extended result code.
     *
     * @return the code as text, for example {@code "1045"} or {@code "28P01"}, or {@code null} if no server answered
     */
    public final @Nullable String serverCode() {
        return serverCode;
    }

    /**
     * Returns the names of the options whose values are wrong.
     *
     * @return the names, as in the option tables
     */
    public final List<String> options() {
        return List.of(options);
    }
}
