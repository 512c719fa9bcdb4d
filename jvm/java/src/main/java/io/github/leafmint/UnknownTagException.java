package io.github.leafmint;

/**
 * Thrown if the store has no row of the tag.
 *
 * <p>Create the tag, or set the option {@code auto_create}, if it is new: a deleted row that is created again repeats
 * ids. Code {@code unknown_tag}; a retry alone does not help.
 */
public final class UnknownTagException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public UnknownTagException(String message) {
        super("unknown_tag", false, message);
    }
}
