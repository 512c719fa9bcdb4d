package io.github.leafmint.internal.threads;

import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Wakes the calls that wait for ids when something has changed, on a thread that runs only while calls wait. */
final class Waker {
    /**
     * How long the thread keeps running after the last wait, in nanoseconds. The end of the process waits as long: a
     * JVM gives threads that are in a native 300 ms to leave it.
     */
    private static final long IDLE = 50_000_000;

    private static final ConcurrentHashMap<Long, Runnable> WAITING = new ConcurrentHashMap<>();
    private static final ConcurrentSkipListSet<Alarm> ALARMS = new ConcurrentSkipListSet<>();
    private static final AtomicLong LAST = new AtomicLong();

    private static boolean running;

    private Waker() {}

    /**
     * Wakes the call of a number once, even if nothing changes.
     *
     * @param at when, as {@link System#nanoTime()} counts
     */
    record Alarm(long at, long number) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            long later = at - other.at; // nanoTime may overflow
            return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
        }
    }

    /**
     * Registers a call and returns its number, until {@link #remove}; 0 if no thread can be started to wake it.
     *
     * @param wake runs on the thread of this class for each change; it must not block
     */
    static long add(Runnable wake) {
        long number = LAST.incrementAndGet();
        WAITING.put(number, wake);
        if (isRunning()) {
            return number;
        }
        WAITING.remove(number);
        return 0;
    }

    static void remove(long number) {
        WAITING.remove(number);
    }

    /**
     * Sets an alarm. Set on another thread than that of this class, it may go off too late, by {@link #IDLE} at most.
     */
    static Alarm wakeAt(long at, long number) {
        var alarm = new Alarm(at, number);
        ALARMS.add(alarm);
        return alarm;
    }

    static void cancel(Alarm alarm) {
        ALARMS.remove(alarm);
    }

    private static synchronized boolean isRunning() {
        if (!running) {
            try {
                new Work().start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next call that waits tries again.
            }
        }
        return running;
    }

    private static final class Work extends DaemonThread {
        private long busy = System.nanoTime();

        Work() {
            super("leafmint-waker");
        }

        /** Nothing is lost with a step that fails: every call has an alarm, or looks by itself. */
        @Override
        protected void step() {
            wakeAll(Native.wakerTake(untilAlarm()));
        }

        @Override
        protected boolean goesOn() {
            if (!WAITING.isEmpty()) {
                busy = System.nanoTime();
            }
            return System.nanoTime() - busy < IDLE || isNeeded();
        }
    }

    private static void wakeAll(long[] numbers) {
        for (long number : numbers) {
            wake(number);
        }
        long now = System.nanoTime();
        for (Alarm next = first(); next != null && next.at - now <= 0; next = first()) {
            wake(next.number);
            ALARMS.remove(next); // not earlier: after a failure it goes off again
        }
    }

    private static void wake(long number) {
        Runnable waiting = WAITING.get(number);
        if (waiting != null) { // null if the call has ended
            waiting.run();
        }
    }

    /** Returns the nanoseconds until the next alarm, at most {@link #IDLE}. */
    private static long untilAlarm() {
        Alarm next = first();
        return next == null ? IDLE : Math.max(0, Math.min(next.at - System.nanoTime(), IDLE));
    }

    private static @Nullable Alarm first() {
        var alarms = ALARMS.iterator(); // first() would throw if a call ended its alarm, the only one, in between
        return alarms.hasNext() ? alarms.next() : null;
    }

    private static synchronized boolean isNeeded() {
        running = !WAITING.isEmpty();
        return running;
    }
}
