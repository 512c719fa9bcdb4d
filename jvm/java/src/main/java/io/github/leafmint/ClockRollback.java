package io.github.leafmint;

/**
 * What a call does if the wall clock is behind the ids.
 *
 * <pre>{@code
 * SnowflakeGenerator.builder("local:").clockRollback(ClockRollback.FAIL).open();
 * }</pre>
 */
public enum ClockRollback {
    /** {@code continue}: ids go on from the last one. */
    CONTINUE,

    /** {@code wait}: the call waits for the wall clock. */
    WAIT,

    /** {@code fail}: the call fails with {@link ClockMovedBackwardsException}. */
    FAIL
}
