package io.github.leafmint.internal.lending;

import java.util.List;

/** A connection of the application. One thread at a time uses it; any other may {@linkplain #cut() cut} it. */
public interface LentConnection {
    /** Returns the product's name as the driver says it. */
    String product();

    /** Returns the product's version. */
    String version();

    /** Returns whether the connection belongs to a pool that the application uses too. */
    boolean isShared();

    /**
     * Runs statements in turn, each as a transaction of its own, up to the first that fails. Returns a result for each.
     */
    List<Ran> run(List<String> statements);

    /**
     * Runs statements in one transaction, and commits it if none fails, else rolls it back. A failure of the commit is
     * one more result.
     */
    List<Ran> runTogether(List<String> statements);

    /** Ends whatever the connection waits for, and makes it useless. It is closed by the thread that uses it. */
    void cut();

    /** Closes the connection, or gives it back to its pool as it was. A failure is of no interest. */
    void close();
}
