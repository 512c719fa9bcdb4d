package io.github.leafmint;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker id that was taken at least once.
 *
 * <pre>{@code
 * for (WorkerInfo worker : flakes.listWorkers()) {
 *     System.out.println(worker.workerId() + " by " + worker.endpoint() + " until " + worker.horizon());
 * }
 * }</pre>
 *
 * @param workerId the worker id
 * @param endpoint the process that has it, or had it last; empty if that cannot be read
 * @param held whether a process holds it now
 * @param horizon up to when it is reserved, where its next lease begins; {@code null} if that cannot be read, and for a
 *     worker id of past moments, which has no next lease
 * @param updated when its owner wrote last, by the database's clock if there is one; {@code null} if that is not known
 */
public record WorkerInfo(
        long workerId,
        String endpoint,
        boolean held,
        @Nullable Instant horizon,
        @Nullable Instant updated) {
    private static final int TEXTS = 5;

    static List<WorkerInfo> readAll(@Nullable String[] texts) {
        return RecordReader.readAll(texts, TEXTS, WorkerInfo::read);
    }

    private static WorkerInfo read(@Nullable String[] texts, int at) {
        return new WorkerInfo(
                Long.parseLong(texts[at]),
                texts[at + 1],
                Boolean.parseBoolean(texts[at + 2]),
                RecordReader.time(texts[at + 3]),
                RecordReader.time(texts[at + 4]));
    }
}
