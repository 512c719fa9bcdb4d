package io.github.leafmint;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Unparks the threads that wait for ids when something has changed, on a thread of its own that lives while any do. */
final class Waker {
    /** How long the thread goes on after the last of them. */
    private static final long IDLE_MILLIS = 1000;

    private static final ConcurrentHashMap<Long, Thread> WAITING = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private static boolean running;

    private Waker() {}

    /** Returns a number by which this thread is woken from now on, until {@link #remove}; 0 if nothing can wake it. */
    static long add() {
        long number = LAST.incrementAndGet();
        WAITING.put(number, Thread.currentThread());
        if (isRunning()) {
            return number;
        }
        WAITING.remove(number);
        return 0;
    }

    static void remove(long number) {
        WAITING.remove(number);
    }

    private static synchronized boolean isRunning() {
        if (!running) {
            try {
                var thread = new Thread(null, Waker::run, "leafmint-waker", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next one that waits tries again.
            }
        }
        return running;
    }

    private static void run() {
        do {
            for (long[] numbers = Native.wakersTake(IDLE_MILLIS);
                    numbers.length > 0;
                    numbers = Native.wakersTake(IDLE_MILLIS)) {
                for (long number : numbers) {
                    LockSupport.unpark(WAITING.get(number)); // null if it waits no longer
                }
            }
        } while (goesOn());
    }

    private static synchronized boolean goesOn() {
        running = !WAITING.isEmpty();
        return running;
    }
}
