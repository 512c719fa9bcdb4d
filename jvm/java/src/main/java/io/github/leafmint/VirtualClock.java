package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.natives.OptionValues;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Shows the time of snowflakes and series in tests of applications: time passes only if the test moves the clock, or if
 * a call would have to wait.
 *
 * <p>A call that has to wait for a tick moves the clock there, and returns at once. Several generators may share a
 * clock, and the code under test may too: {@link #withZone} returns it as a {@link java.time.Clock}. A clock can be
 * used from any thread.
 *
 * <pre>{@code
 * VirtualClock clock = VirtualClock.at(Instant.parse("2026-11-01T00:00:00Z"));
 * try (var flakes = SnowflakeGenerator.builder(clock, 7).open()) {
 *     long first = flakes.nextId();
 *     clock.tick();
 *     long ticks = (flakes.nextId() - first) >> 22; // 1
 * }
 * }</pre>
 *
 * @see SnowflakeGenerator#builder(VirtualClock, long)
 * @see SeriesBuilder#clock(InstantSource)
 */
public final class VirtualClock implements InstantSource {
    private final Handle handle;

    private VirtualClock(long handle) {
        this.handle = new Handle(handle, Native::virtualClockFree);
    }

    /**
     * Returns a new clock.
     *
     * @param start what it shows at first; a part of a millisecond is cut off
     * @return the clock
     */
    public static VirtualClock at(Instant start) {
        long millis = Times.unixMillis(requireNonNull(start, "start"));
        NativeLibrary.require();
        return new VirtualClock(Native.virtualClockAt(millis));
    }

    /**
     * Returns the time that the clock shows.
     *
     * @return a time in whole milliseconds
     */
    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /**
     * Returns the time that the clock shows, in Unix milliseconds.
     *
     * @return milliseconds since 1970
     */
    @Override
    public long millis() {
        try {
            return Native.virtualClockMillis(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Lets a millisecond pass, which is a tick of most layouts. */
    public void tick() {
        advance(Duration.ofMillis(1));
    }

    /**
     * Lets time pass.
     *
     * @param time 0 or more; a part of a millisecond passes as a whole one
     * @throws InvalidArgumentException if {@code time} is negative, or passes the last time of the clock
     */
    public void advance(Duration time) {
        if (requireNonNull(time, "time").isNegative()) {
            throw new InvalidArgumentException("advance(" + time + ") is negative: set the clock back with set");
        }
        try {
            long millis = time.plusNanos(999_999).toMillis();
            Math.addExact(millis(), millis);
            Native.virtualClockPass(handle(), millis);
        } catch (ArithmeticException tooFar) {
            throw new InvalidArgumentException("advance(" + time + ") passes the last time that the clock can show");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Sets the clock, forward or back.
     *
     * <p>If it is set back, ids continue at the last time, or calls throw {@link ClockMovedBackwardsException}, as the
     * options {@code clock_rollback} and {@code max_clock_lead} say.
     *
     * @param time a part of a millisecond is cut off
     */
    public void set(Instant time) {
        try {
            Native.virtualClockMoveTo(handle(), Times.unixMillis(requireNonNull(time, "time")));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the class name and the time.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "VirtualClock[" + instant() + "]";
    }

    /** Opens a native generator on this clock. */
    long open(long workerId, OptionValues options) {
        try {
            return Native.virtualClockOpen(handle(), workerId, options.texts, options.numbers);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
