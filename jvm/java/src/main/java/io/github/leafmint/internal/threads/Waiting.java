package io.github.leafmint.internal.threads;

import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for native work by polling and parking, so that a virtual thread releases its carrier. */
public final class Waiting {
    private static final double DAY_SECONDS = 86_400;

    // All times below are in nanoseconds.

    /** The first pause between two polls; each later one is twice as long. */
    static final long FIRST_PAUSE = 20_000;

    /** Longest sleep without the {@link Waker}; a thread that has to sleep longer registers with it. */
    private static final long LONGEST_PAUSE = 1_000_000;

    /**
     * Longest time without a poll of a call that the {@link Waker} wakes, less than the usual timeout. The core does
     * not report every change, for example the end of a shortage of threads.
     */
    static final long LONGEST_SLEEP = 4_000_000_000L;

    /** Longest pause of a thread that nothing wakes. */
    static final long LONGEST_UNWOKEN = 10_000_000;

    private Waiting() {}

    /**
     * Returns the answer of a call for ids: {@code begun}, or the answer that it is waiting for. Returns {@code null}
     * if the thread is interrupted while it waits; the flag stays set.
     *
     * @param begun what the native returned that began the call
     */
    public static long @Nullable [] answer(long[] begun) {
        if (begun.length == 0 || begun[0] != Native.NOT_YET) {
            return begun;
        }
        long wait = begun[1];
        try {
            return await(wait);
        } finally {
            Native.waitEnd(wait);
        }
    }

    private record Unpark(Thread waiting) implements Runnable {
        @Override
        public void run() {
            LockSupport.unpark(waiting);
        }
    }

    private static long @Nullable [] await(long wait) {
        long waker = 0;
        long pause = FIRST_PAUSE;
        try {
            for (long[] answer = Native.waitPoll(wait); ; answer = Native.waitPoll(wait)) {
                if (answer != null) {
                    return answer;
                }
                if (Thread.currentThread().isInterrupted()) {
                    return null;
                }
                long due = Native.waitDue(wait);
                if (waker == 0 && Math.min(due, pause) > LONGEST_PAUSE) {
                    waker = Waker.add(new Unpark(Thread.currentThread()));
                    if (waker != 0) {
                        Native.waitWake(wait, waker);
                        continue; // a change before this call woke nothing
                    }
                }
                // A call that is due this soon waits for its tick as a rule: a poll before would find nothing.
                long longest = waker != 0 ? LONGEST_SLEEP : due > LONGEST_PAUSE ? pause : due;
                LockSupport.parkNanos(Math.min(due, longest));
                pause = Math.min(2 * pause, 2 * LONGEST_PAUSE);
            }
        } finally {
            Waker.remove(waker);
        }
    }

    /** Waits for pending work of a generator, frees it, and returns its answer. An interrupt ends the wait. */
    public static boolean untilDone(long pending, String what) {
        try {
            return await(pending, what);
        } finally {
            Native.pendingEnd(pending);
        }
    }

    /** Does the same for work whose answer is texts. */
    public static @Nullable String[] untilTexts(long pending, String what) {
        try {
            await(pending, what);
            return Native.pendingTexts(pending);
        } finally {
            Native.pendingEnd(pending);
        }
    }

    static boolean await(long pending, String what) {
        long pause = FIRST_PAUSE;
        for (Boolean answer = poll(pending); ; answer = poll(pending)) {
            if (answer != null) {
                return answer;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreUnavailableException(
                        "interrupted while waiting for " + what + ", which goes on in the background");
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_UNWOKEN);
        }
    }

    /** Waits for pending work of a generator and frees it. An interrupt does not end the wait; the flag is kept. */
    public static void untilDoneInAnyCase(long pending) {
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

    /** Returns the answer of pending work, {@code null} before it has one. */
    static @Nullable Boolean poll(long pending) {
        long answer = Native.pendingPoll(pending);
        return answer == Native.NOT_YET ? null : answer != 0;
    }

    /** Returns true if a timeout, or {@link Native#DEFAULT_TIMEOUT}, is certainly valid. If not, the core decides. */
    public static boolean isValid(double seconds) {
        return seconds >= 0 && seconds <= DAY_SECONDS || Double.isNaN(seconds);
    }
}
