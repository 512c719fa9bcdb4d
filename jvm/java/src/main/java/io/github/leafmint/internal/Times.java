package io.github.leafmint.internal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/** Converts times to numbers that the core reads. */
public final class Times {
    private Times() {}

    /**
     * Returns Unix milliseconds. A time that does not fit becomes the nearest that does: the core refuses its range.
     */
    public static long unixMillis(Instant at) {
        try {
            return requireNonNull(at, "at").toEpochMilli();
        } catch (ArithmeticException tooFar) {
            return at.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** Returns the seconds of an argument {@code timeout}. */
    public static double seconds(Duration timeout) {
        return requireNonNull(timeout, "timeout").getSeconds() + timeout.getNano() / 1e9;
    }
}
