package io.github.leafmint;

/**
 * Thrown if a value is not an id of the layout, rule or format that decodes it.
 *
 * <p>The message holds the value. Code {@code invalid_id}; a retry alone does not help.
 */
public final class InvalidIdException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidIdException(String message) {
        super("invalid_id", false, message);
    }
}
