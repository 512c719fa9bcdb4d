package io.github.leafmint;

/**
 * Thrown if a URL or an option is invalid, or if the database it names cannot be used.
 *
 * <p>The message lists every problem found. Code {@code invalid_config}; a retry alone does not help.
 */
public final class InvalidConfigException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidConfigException(String message) {
        super("invalid_config", false, message);
    }
}
