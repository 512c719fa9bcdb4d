package io.github.leafmint.internal.lending;

/** The application's way to connect to a database. */
public interface ConnectionSource {
    /**
     * Names the database and what connects to it, without secrets: the same after a restart, and equal only for what
     * leads to the same tables.
     */
    String name();

    /** Returns what the driver's classes are found with. */
    ClassLoader loader();

    /** Opens a connection that commits each statement by itself, or takes it from a pool. It may block. */
    LentConnection connect() throws Exception;

    /** Describes why {@link #connect()} failed. */
    Ran.Failed describe(Throwable failure);
}
