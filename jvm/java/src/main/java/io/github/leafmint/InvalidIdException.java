package io.github.leafmint;

/**
 * Says that the value is not an id of this layout or rule.
 *
 * <p>The message holds the value. Its code is {@code invalid_id}; a retry alone does not help.
 */
public final class InvalidIdException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidIdException(String message) {
        super("invalid_id", false, message);
    }
}
