package io.github.leafmint;

/**
 * Says that the store has no row for the tag.
 *
 * <p>Insert the row, call {@link SegmentGenerator#createTag(String, long)}, or set the option {@code auto_create}. Its
 * code is {@code unknown_tag}; a retry alone does not help.
 */
public final class UnknownTagException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public UnknownTagException(String message) {
        super("unknown_tag", false, message);
    }
}
