package io.github.leafmint;

/**
 * Thrown if an argument of a call is out of range.
 *
 * <p>The message holds the value and the range. Code {@code invalid_argument}; a retry alone does not help.
 */
public final class InvalidArgumentException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidArgumentException(String message) {
        super("invalid_argument", false, message);
    }
}
