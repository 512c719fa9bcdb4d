package io.github.leafmint;

/**
 * Says that the store leased a range that lies below one it leased before.
 *
 * <p>A table was restored from a backup, or a stale replica answered. Nothing was handed out; the message holds the SQL
 * that mends the row. Its code is {@code store_regressed}; a retry alone does not help.
 */
public final class StoreRegressedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message.
     *
     * @param message what failed, with which value, and what to do
     */
    public StoreRegressedException(String message) {
        super("store_regressed", false, message);
    }
}
