package io.github.leafmint.bench;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A double buffer of segments that locks as Leaf does: a shared lock for each id, an exclusive lock for each switch.
 *
 * <p>Written for this comparison. Its store is memory and its step fixed, so that only the hand-out is measured.
 */
final class ReadWriteLockSegments implements AutoCloseable {
    private record Segment(AtomicLong cursor, long end) {}

    private final long step;
    private final AtomicLong store = new AtomicLong(1);
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicBoolean leasing = new AtomicBoolean();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private Segment live;
    private Segment next;

    ReadWriteLockSegments(long step) {
        this.step = step;
        live = lease();
    }

    long nextId() {
        while (true) {
            lock.readLock().lock();
            try {
                long id = live.cursor.getAndIncrement();
                if (next == null && live.end - id < 0.9 * step && leasing.compareAndSet(false, true)) {
                    executor.execute(this::refill);
                }
                if (id < live.end) {
                    return id;
                }
            } finally {
                lock.readLock().unlock();
            }
            switchSegments();
        }
    }

    private void switchSegments() {
        lock.writeLock().lock();
        try {
            if (live.cursor.get() >= live.end && next != null) {
                live = next;
                next = null;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void refill() {
        Segment leased = lease();
        lock.writeLock().lock();
        try {
            next = leased;
            leasing.set(false);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private Segment lease() {
        long first = store.getAndAdd(step);
        return new Segment(new AtomicLong(first), first + step);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
