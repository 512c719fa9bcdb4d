package io.github.leafmint;

import java.lang.ref.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists and frees the worker ids of a holder. Base class of {@link SnowflakeFutures}. */
abstract sealed class SnowflakeAdministration extends Generator permits SnowflakeFutures {
    SnowflakeAdministration(long handle, @Nullable CredentialsThread credentials) {
        super(handle, new SnowflakeNatives(), credentials);
    }

    /**
     * Lists the worker ids that were taken at least once, in ascending order, without taking one.
     *
     * @return every such worker id that this generator may take
     * @throws InvalidConfigException if they belong to another layout, or the account or the directory does not fit
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<WorkerInfo> listWorkers() {
        try {
            return WorkerInfo.readAll(Waiting.untilTexts(Native.snowflakeListWorkers(handle()), "listWorkers"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Frees a worker id whose owner is gone.
     *
     * <p>No id can repeat: the next owner begins behind the time that is reserved. If the owner lives, it loses the
     * lease and takes another worker id. In a directory the worker id of a living process cannot be freed.
     *
     * @param workerId the worker id
     * @param force whether to free it although its horizon has not passed
     * @return false if it is free already
     * @throws WorkerIdUnavailableException if it is still held; the message names the owner
     * @throws InvalidArgumentException if this generator may not take that worker id
     * @throws InvalidConfigException as {@link #listWorkers()} does
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached
     */
    public boolean releaseWorker(long workerId, boolean force) {
        try {
            return Waiting.untilDone(Native.snowflakeReleaseWorker(handle(), workerId, force), "releaseWorker");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Checks the holder: connects, and checks the layout, the clocks and the account, without taking a worker id.
     *
     * @return what was found
     * @throws InvalidConfigException as {@link #listWorkers()} does, or if this host's clock is ahead of the database's
     * @throws ClockMovedBackwardsException if this host's clock is behind the database's
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the database cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public SnowflakeCheck check() {
        try {
            return SnowflakeCheck.read(Waiting.untilTexts(Native.snowflakeCheck(handle()), "check"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
