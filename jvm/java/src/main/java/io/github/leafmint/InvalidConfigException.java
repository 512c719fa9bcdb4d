package io.github.leafmint;

/**
 * Says that a URL, an option or the database it points at cannot be used as it is.
 *
 * <p>Correct what the message names; it lists every problem found. Its code is {@code invalid_config}; a retry alone
 * does not help.
 */
public final class InvalidConfigException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public InvalidConfigException(String message) {
        super("invalid_config", false, message);
    }
}
