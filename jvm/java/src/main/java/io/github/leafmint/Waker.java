package io.github.leafmint;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Unparks the threads that wait for ids when something has changed, on a thread that runs only while threads wait. */
final class Waker {
    /** How long the thread keeps running after the last wait, in milliseconds. */
    private static final long IDLE_MILLIS = 1000;

    private static final ConcurrentHashMap<Long, Thread> WAITING = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private static boolean running;

    private Waker() {}

    /**
     * Registers this thread and returns its number, until {@link #remove}; 0 if no thread can be started to wake it.
     */
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
                // The next thread that waits tries again.
            }
        }
        return running;
    }

    private static void run() {
        do {
            long[] numbers = Native.wakerTake(IDLE_MILLIS);
            while (numbers.length > 0) {
                for (long number : numbers) {
                    LockSupport.unpark(WAITING.get(number)); // null if the thread no longer waits
                }
                numbers = Native.wakerTake(IDLE_MILLIS);
            }
        } while (goesOn());
    }

    private static synchronized boolean goesOn() {
        running = !WAITING.isEmpty();
        return running;
    }
}
