package io.github.leafmint;

/**
 * Thrown if a store leased ids that it had leased before.
 *
 * <p>The table was restored from a backup, or a stale replica answered. No id of that lease was returned. The message
 * holds the SQL that repairs the row. Code {@code store_regressed}; a retry alone does not help.
 */
public final class StoreRegressedException extends LeafmintException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with which value, and what to do
     */
    public StoreRegressedException(String message) {
        super("store_regressed", false, message);
    }
}
