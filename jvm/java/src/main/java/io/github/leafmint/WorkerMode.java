package io.github.leafmint;

/**
 * How a database assigns worker ids.
 *
 * <pre>{@code
 * SnowflakeGenerator.builder("mysql://host/database")
 *         .workerMode(WorkerMode.ENDPOINT)
 *         .endpoint("10.0.0.7:8080")
 *         .open();
 * }</pre>
 */
public enum WorkerMode {
    /** {@code lease}: any free worker id. */
    LEASE,

    /** {@code endpoint}: the worker id that {@code leaf_workerid_alloc} holds for the endpoint. */
    ENDPOINT,

    /** {@code leaf}: the worker id that the endpoint has in the tree of Leaf's ZooKeeper mode. */
    LEAF
}
