package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.LeafmintException;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors.Audited;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the last audit, since a monitoring system asks often and a report is good for longer.
 *
 * <p>One call at a time reads the database. Those that come meanwhile are shown the report before, if there is one.
 */
final class RecentAudit {
    private static final Logger LOG = LoggerFactory.getLogger("io.github.leafmint");

    /** How long no other attempt follows one that failed. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final Supplier<AuditReport> audit;
    private final long maxAge;
    private final Duration longestWait;
    private final LongSupplier nanoTime;
    private final long began;
    private final ReentrantLock reading = new ReentrantLock();
    private final AtomicBoolean isBeginning = new AtomicBoolean();
    private volatile Attempt last;

    /** No thread begins before: what makes the audit failed, and may fail each time. */
    private volatile long brokenUntil;

    /** {@code longestWait} is for callers that come during the first audit. */
    RecentAudit(Supplier<AuditReport> audit, Duration maxAge, Duration longestWait, LongSupplier nanoTime) {
        this.audit = audit;
        this.longestWait = longestWait;
        this.maxAge = maxAge.toNanos();
        this.nanoTime = nanoTime;
        began = nanoTime.getAsLong();
        brokenUntil = began;
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
        return latest(PAUSE.toNanos());
    }

    /** Does the same, but does not repeat an audit that failed before its report would be too old. */
    Attempt latestAtItsPace() {
        return latest(maxAge);
    }

    /** Returns the time since the last report was read, or since this began if there is none. */
    Duration age() {
        Attempt known = last;
        return Duration.ofNanos(nanoTime.getAsLong() - (known == null ? began : known.readAt()));
    }

    /** Returns whether an audit could not even begin lately. */
    boolean isBroken() {
        return nanoTime.getAsLong() - brokenUntil < 0;
    }

    private Attempt latest(long pause) {
        Attempt known = last;
        boolean isDue = known == null || !isRecent(known, pause);
        if (isDue && !isBroken() && !reading.isLocked() && isBeginning.compareAndSet(false, true)) {
            var next = new Thread(this::readInBackground, "leafmint-audit");
            next.setDaemon(true);
            // A thread of the common pool has that of the JVM, which knows no driver of an executable JAR.
            next.setContextClassLoader(RecentAudit.class.getClassLoader());
            next.start();
        }
        return known;
    }

    private void readInBackground() {
        try {
            read();
        } catch (RuntimeException broken) {
            brokenUntil = nanoTime.getAsLong() + maxAge;
            LOG.warn("the audit cannot run: {}", broken.toString());
        } finally {
            isBeginning.set(false);
        }
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
        if (failure != null && (before == null || before.failure() == null)) {
            LOG.warn("the audit failed: {}", text);
        }
        long ended = nanoTime.getAsLong();
        long readBefore = before == null ? began : before.readAt();
        return new Attempt(report, failure, Audited.of(report, text), ended, failure == null ? ended : readBefore);
    }

    private boolean isRecent(Attempt attempt) {
        return isRecent(attempt, PAUSE.toNanos());
    }

    private boolean isRecent(Attempt attempt, long pause) {
        long longest = attempt.failure() != null ? Math.min(maxAge, pause) : maxAge;
        return nanoTime.getAsLong() - attempt.ended() < longest;
    }

    /**
     * The last report, why it is not newer, how both are shown, when the attempt to read it ended, and when the report
     * was read.
     */
    record Attempt(AuditReport report, LeafmintException failure, Audited answer, long ended, long readAt) {}
}
