package io.github.leafmint.status;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one tag at one moment.
 *
 * <pre>{@code
 * TagStats order = ids.tag("order").stats();
 * Duration supply = order.supply();
 * if (supply != null && supply.toSeconds() < 60) {
 *     warn("less than a minute of ids in hand: " + order.lastError());
 * }
 * }</pre>
 */
public interface TagStats {
    /** {@return the number of ids handed out} */
    long issued();

    /** {@return the number of ids taken from the store} */
    long leased();

    /** {@return the number of ids taken from the store that were neither handed out nor given back} */
    long unused();

    /** {@return the number of ids given back at the close} */
    long givenBack();

    /** {@return the highest id that this process has leased, with the highest gene; 0 before the first lease} */
    long highestLeased();

    /** {@return how long the ids in hand last at the current rate; {@code null} if none are being used} */
    @Nullable
    Duration supply();

    /** {@return the {@code step} column as last read; 0 before the first lease} */
    long step();

    /** {@return the number of leases that succeeded} */
    long refills();

    /** {@return the number of leases that failed} */
    long refillFailures();

    /**
     * {@return the number of leases that failed since the last one that succeeded, and are repeated in the background;
     * at least 1 while the store is away, 0 after a refusal of this tag alone}
     */
    long failuresInARow();

    /** {@return the average round trip of a lease; {@code null} before the first} */
    @Nullable
    Duration refillDuration();

    /** {@return the number of calls that had to wait} */
    long waits();

    /** {@return the number of calls that ended with an exception} */
    long failedCalls();

    /**
     * {@return the numbers that fit the format of a series and are not leased in its present period, of the fullest
     * key; {@code null} for a tag, and without a format that ends}
     */
    @Nullable
    Long numbersLeft();

    /** {@return how long these last at the pace of the period so far; {@code null} if there is no pace} */
    @Nullable
    Duration numbersLast();

    /** {@return the last failure, without credentials; {@code null} if there was none} */
    @Nullable
    String lastError();

    /**
     * {@return the {@linkplain io.github.leafmint.LeafmintException#code() code} of its error; {@code null} if there
     * was none}
     */
    @Nullable
    String lastErrorCode();

    /** {@return when it occurred; {@code null} if there was none} */
    @Nullable
    Instant lastErrorAt();
}
