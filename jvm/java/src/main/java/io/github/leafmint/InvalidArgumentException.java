package io.github.leafmint;

/**
 * Says that an argument of one call is out of range.
 *
 * <p>The message holds the value and what is allowed. Its code is {@code invalid_argument}; a retry alone does not
 * help.
 */
public final class InvalidArgumentException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidArgumentException(String message) {
        super("invalid_argument", false, message);
    }
}
