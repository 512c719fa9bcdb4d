package io.github.leafmint.internal.lending;

import java.sql.Connection;

/** A pool that can be told to drop a connection. Others report each connection that they find dead as a fault. */
public interface EvictingPool {
    /** Closes a connection that was taken from the pool, so that it is not lent again. It may still be given back. */
    void evictConnection(Connection connection);
}
