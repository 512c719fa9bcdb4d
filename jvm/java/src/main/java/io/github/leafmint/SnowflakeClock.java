package io.github.leafmint;

/**
 * The clock that stamps ids.
 *
 * <pre>{@code
 * SnowflakeGenerator.builder("local:").clock(SnowflakeClock.SYSTEM).open();
 * }</pre>
 */
public enum SnowflakeClock {
    /** {@code auto}: the processor's counter if the kernel keeps time with it, otherwise the system's clock. */
    AUTO,

    /** {@code system}: the system's clock. */
    SYSTEM
}
