package io.github.leafmint;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for native work by polling and parking, so that a virtual thread lets go of its carrier. */
final class Waiting {
    private static final double A_DAY = 86_400;
    private static final long FIRST_PAUSE = 20_000;

    /** One that would sleep longer is woken by the {@link Waker}. */
    private static final long LONGEST_PAUSE = 1_000_000;

    /**
     * Longest time between two polls of one that is woken: what the core cannot report, such as a shortage of threads
     * that is over.
     */
    private static final long LONGEST_SLEEP = 1_000_000_000;

    /** Longest pause of one that nothing wakes. */
    private static final long LONGEST_UNWOKEN = 10_000_000;

    private Waiting() {}

    /** A call for ids that is under way in the native library. */
    interface Call {
        /** Returns what was wanted, or {@code null}. */
        long[] poll();

        /** Returns in how many nanoseconds there will be an answer; below 0 if it is not known. */
        long due();

        /** Returns how many nanoseconds of the timeout are left. */
        long left();

        /** Has the thread of that number woken from now on. */
        void wake(long number);

        /** Makes the exception that ends the wait when the thread is interrupted; its flag stays set. */
        LeafmintException interrupted();
    }

    /** Polls until there is an answer. */
    static long[] until(Call call) {
        long number = 0;
        long pause = FIRST_PAUSE;
        try {
            for (long[] answer = call.poll(); ; answer = call.poll()) {
                if (answer != null) {
                    return answer;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw call.interrupted();
                }
                long due = call.due();
                long longest = number != 0 ? LONGEST_SLEEP : due < 0 ? pause : LONGEST_UNWOKEN;
                long sleep = due < 0 ? longest : Math.min(due, longest);
                if (sleep > LONGEST_PAUSE && number == 0) {
                    number = Waker.add();
                    if (number != 0) {
                        call.wake(number);
                        continue; // what changed before this woke nobody
                    }
                }
                LockSupport.parkNanos(Math.min(sleep, call.left()));
                pause = Math.min(2 * pause, 2 * LONGEST_PAUSE);
            }
        } finally {
            Waker.remove(number);
        }
    }

    /** Waits for work of a generator, and lets go of it. */
    static boolean untilDone(long pending, String what) {
        try {
            long pause = FIRST_PAUSE;
            for (Boolean answer = poll(pending); ; answer = poll(pending)) {
                if (answer != null) {
                    return answer;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(what);
                }
                LockSupport.parkNanos(pause);
                pause = Math.min(2 * pause, LONGEST_UNWOKEN);
            }
        } finally {
            Native.pendingEnd(pending);
        }
    }

    /** Does the same to the end: an interrupt is put off until then. */
    static void untilDoneInAnyCase(long pending) {
        boolean interrupted = false;
        try {
            for (long pause = FIRST_PAUSE; poll(pending) == null; pause = Math.min(2 * pause, LONGEST_UNWOKEN)) {
                LockSupport.parkNanos(pause);
                interrupted |= Thread.interrupted();
            }
        } finally {
            Native.pendingEnd(pending);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a duration in seconds, as the core reads it. */
    static double seconds(Duration timeout) {
        return timeout.getSeconds() + timeout.getNano() / 1e9;
    }

    /** Tells whether so many seconds are a timeout for certain; where they are not, the core says why. */
    static boolean isPlain(double seconds) {
        return seconds >= 0 && seconds <= A_DAY;
    }

    static Boolean poll(long pending) {
        long answer = Native.pendingPoll(pending);
        return answer == Native.NOT_YET ? null : answer != 0;
    }

    private static LeafmintException interrupted(String what) {
        return new StoreUnavailableException(
                "interrupted while waiting for " + what + ", which goes on in the background");
    }
}
