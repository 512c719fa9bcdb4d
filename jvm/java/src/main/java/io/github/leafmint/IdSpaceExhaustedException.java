package io.github.leafmint;

/**
 * Thrown if there are no ids left: all numbers of a tag, all timestamps of a layout or all digits of a format are used
 * up.
 *
 * <p>Use another tag, a layout with more timestamp bits or a later epoch, or a wider format. Code
 * {@code id_space_exhausted}; a retry alone does not help.
 */
public final class IdSpaceExhaustedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public IdSpaceExhaustedException(String message) {
        super("id_space_exhausted", false, message);
    }
}
