package io.github.leafmint;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for native work by polling and parking, so that a virtual thread lets go of its carrier. */
final class Waiting {
    private static final double A_DAY = 86_400;
    private static final long FIRST_PAUSE = 20_000;
    private static final long LONGEST_PAUSE = 1_000_000;

    private Waiting() {}

    /**
     * Polls until there is an answer; {@code null} is none.
     *
     * @param interrupted makes the exception that ends the wait when the thread is interrupted; its flag stays set
     */
    static <T> T until(Supplier<T> poll, Supplier<LeafmintException> interrupted) {
        long pause = FIRST_PAUSE;
        for (T answer = poll.get(); ; answer = poll.get()) {
            if (answer != null) {
                return answer;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted.get();
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    /** Waits for work of a generator, and lets go of it. */
    static boolean untilDone(long pending, String what) {
        try {
            return until(() -> poll(pending), () -> interrupted(what));
        } finally {
            Native.pendingEnd(pending);
        }
    }

    /** Does the same to the end: an interrupt is put off until then. */
    static void untilDoneInAnyCase(long pending) {
        boolean interrupted = false;
        try {
            for (long pause = FIRST_PAUSE; poll(pending) == null; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
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
        return new StoreUnavailableException("interrupted while waiting for " + what + ", which goes on in the background");
    }
}
