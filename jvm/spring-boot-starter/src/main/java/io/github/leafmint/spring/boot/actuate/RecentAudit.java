package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.LeafmintException;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors.Audited;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Remembers the last audit, since a monitoring system asks often and a report is good for longer.
 *
 * <p>One call at a time reads the database. Those that come meanwhile are shown the report before, if there is one.
 */
final class RecentAudit {
    /** How long no other attempt follows one that failed. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final Supplier<AuditReport> audit;
    private final long maxAge;
    private final Duration longestWait;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Attempt last;

    /** {@code longestWait} is for callers that come during the first audit. */
    RecentAudit(Supplier<AuditReport> audit, Duration maxAge, Duration longestWait, LongSupplier nanoTime) {
        this.audit = audit;
        this.longestWait = longestWait;
        this.maxAge = maxAge.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Returns what the last audit found, or finds it if that is too old. */
    Audited read() {
        Attempt known = last;
        if (known != null && isRecent(known)) {
            return known.answer();
        }
        if (!begin(known == null)) {
            return known == null ? Audited.of(null, "the first audit is still running") : known.answer();
        }
        try {
            if (last == null || !isRecent(last)) {
                last = attempt(last);
            }
            return last.answer();
        } finally {
            reading.unlock();
        }
    }

    /** Returns what the last audit found, and begins the next one if that is too old. Waits for none. */
    Attempt latest() {
        Attempt known = last;
        if ((known == null || !isRecent(known)) && !reading.isLocked()) {
            var next = new Thread(this::read, "leafmint-audit");
            next.setDaemon(true);
            // A thread of the common pool has that of the JVM, which knows no driver of an executable JAR.
            next.setContextClassLoader(RecentAudit.class.getClassLoader());
            next.start();
        }
        return known;
    }

    private boolean begin(boolean isFirst) {
        try {
            return isFirst ? reading.tryLock(longestWait.toNanos(), TimeUnit.NANOSECONDS) : reading.tryLock();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Attempt attempt(Attempt before) {
        AuditReport report = before == null ? null : before.report();
        LeafmintException failure = null;
        try {
            report = audit.get();
        } catch (LeafmintException failed) {
            failure = failed;
        }
        String text = failure == null ? null : failure.code() + ": " + failure.getMessage();
        return new Attempt(report, failure, Audited.of(report, text), nanoTime.getAsLong());
    }

    private boolean isRecent(Attempt attempt) {
        long longest = attempt.failure() != null ? Math.min(maxAge, PAUSE.toNanos()) : maxAge;
        return nanoTime.getAsLong() - attempt.ended() < longest;
    }

    /** The last report, why it is not newer, how both are shown, and when the attempt to read it ended. */
    record Attempt(AuditReport report, LeafmintException failure, Audited answer, long ended) {}
}
