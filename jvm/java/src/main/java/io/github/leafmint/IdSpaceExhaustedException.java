package io.github.leafmint;

/**
 * Says that the numbers or the time bits are used up.
 *
 * <p>Move on to another tag or layout. Its code is {@code id_space_exhausted}; a retry alone does not help.
 */
public final class IdSpaceExhaustedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public IdSpaceExhaustedException(String message) {
        super("id_space_exhausted", false, message);
    }
}
