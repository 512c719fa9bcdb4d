package io.github.leafmint.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker id that was taken at least once.
 *
 * <pre>{@code
 * for (WorkerInfo worker : flakes.listWorkers()) {
 *     System.out.println(worker.workerId() + " by " + worker.endpoint() + " until " + worker.horizon());
 * }
 * }</pre>
 */
public interface WorkerInfo {
    /** {@return the worker id} */
    long workerId();

    /** {@return the process that has it, or had it last; empty if that cannot be read} */
    String endpoint();

    /** {@return whether a process holds it now} */
    boolean held();

    /**
     * {@return up to when it is reserved, where its next lease begins; {@code null} if that cannot be read, and for a
     * worker id of past moments, which has no next lease}
     */
    @Nullable
    Instant horizon();

    /**
     * {@return when its owner wrote last, by the database's clock if there is one; {@code null} if that is not known}
     */
    @Nullable
    Instant updated();
}
