package io.github.leafmint.status;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a snowflake generator at one moment.
 *
 * <pre>{@code
 * SnowflakeStats stats = flakes.stats();
 * if (stats.lastError() != null) {
 *     warn("worker " + stats.workerId() + ": " + stats.lastError());
 * }
 * }</pre>
 */
public interface SnowflakeStats {
    /** {@return the current worker id; {@code null} before the first id and while a lost lease is being replaced} */
    @Nullable
    Long workerId();

    /** {@return the kind of holder} */
    String holder();

    /** {@return the holder, without credentials, and which processes share its worker ids} */
    String scope();

    /** {@return the namespace of the worker ids; empty if the holder has none} */
    String namespace();

    /** {@return the host in use, if the URL names several; otherwise {@code null}} */
    @Nullable
    String host();

    /** {@return whether the last attempt to take or extend a lease succeeded; {@code true} before the first} */
    boolean holderUp();

    /** {@return how far ahead time is reserved; {@code null} without a worker id} */
    @Nullable
    Duration horizon();

    /** {@return how far ids are ahead of the wall clock} */
    Duration clockLead();

    /** {@return the average round trip of a heartbeat of the lease; {@code null} before the first} */
    @Nullable
    Duration heartbeatDuration();

    /** {@return the number of calls that had to wait} */
    long waits();

    /** {@return the number of calls that ended with an exception} */
    long failedCalls();

    /** {@return the number of failed attempts to take or extend a lease} */
    long leaseFailures();

    /** {@return the number of leases that another process took} */
    long leasesLost();

    /** {@return the last failure, without credentials; {@code null} if there was none} */
    @Nullable
    String lastError();

    /**
     * {@return the {@linkplain io.github.leafmint.LeafmintException#code() code} of its error; {@code null} if there
     * was none}
     */
    @Nullable
    String lastErrorCode();

    /** {@return when it occurred; {@code null} if there was none} */
    @Nullable
    Instant lastErrorAt();
}
