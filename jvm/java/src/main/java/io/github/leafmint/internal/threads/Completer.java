package io.github.leafmint.internal.threads;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;

/**
 * Completes futures, and so runs what depends on them, off the {@link Waker}'s thread.
 *
 * <p>One task in the common pool completes all futures as long as nothing that depends on them blocks. Once one of them
 * takes longer than ten milliseconds, or the common pool does not run the task, a thread of its own continues with the
 * others.
 */
final class Completer implements Runnable {
    /** How long all others may be busy with one completion each before another thread starts, in nanoseconds. */
    private static final long PATIENCE = 10_000_000;

    private static final Queue<Runnable> READY = new ConcurrentLinkedQueue<>();
    private static final Set<Completer> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Runnable ATTEND = Completer::attend;

    /** The number of {@link #attend} with the waker while completions are queued, else 0. For its thread only. */
    private static long number;

    /** When the current completion began. */
    private volatile long began = System.nanoTime();

    private Completer() {}

    /** Loads what completions need. */
    static void load() {
        // The initialiser of this class does it.
    }

    /** Queues a completion, which may be run again after a failure. Call it on the waker's thread. */
    static void add(Runnable completion) {
        READY.add(completion);
        if (number == 0) {
            number = Waker.add(ATTEND);
            attend();
        } else {
            startIfBlocked();
        }
    }

    /** Checks, while completions are queued, that a thread is left to run them. */
    private static void attend() {
        if (READY.isEmpty()) {
            Waker.remove(number);
            number = 0;
            return;
        }
        startIfBlocked();
        Waker.wakeAt(System.nanoTime() + PATIENCE, number);
    }

    private static void startIfBlocked() {
        long now = System.nanoTime();
        for (Completer running : RUNNING) {
            if (now - running.began <= PATIENCE) {
                return;
            }
        }
        var added = new Completer();
        boolean isFirst = RUNNING.isEmpty();
        RUNNING.add(added);
        try {
            added.start(isFirst);
        } catch (OutOfMemoryError | RejectedExecutionException noMoreThreads) {
            RUNNING.remove(added); // tried again by attend
        }
    }

    private void start(boolean inCommonPool) {
        if (inCommonPool) {
            ForkJoinPool.commonPool().execute(this);
            return;
        }
        var thread = new Thread(null, this, "leafmint-completer", 0, false);
        thread.setDaemon(true);
        // As in the common pool: what depends on the futures may look up classes.
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        thread.start();
    }

    @Override
    public void run() {
        do {
            for (Runnable next = READY.poll(); next != null; next = READY.poll()) {
                began = System.nanoTime();
                complete(next);
            }
            RUNNING.remove(this);
            // One that was queued in between may have relied on this thread.
        } while (!READY.isEmpty() && RUNNING.add(this));
    }

    private static void complete(Runnable completion) {
        while (true) {
            try {
                completion.run();
                return;
            } catch (Throwable failure) { // such as OutOfMemoryError
                DaemonThread.pause();
            }
        }
    }
}
