package io.github.leafmint.spring.boot.actuate;

import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Remembers the statistics of a generator for a moment, since a scrape reads each meter by itself. Does not hold the
 * generator.
 */
final class Recent<G, S> {
    /** Longer than a scrape takes, shorter than the time between two. */
    private static final long NANOS = 100_000_000;

    private final Function<G, S> ask;
    private final LongSupplier nanoTime;
    private S stats;
    private long asked;

    Recent(Function<G, S> ask) {
        this(ask, System::nanoTime);
    }

    Recent(Function<G, S> ask, LongSupplier nanoTime) {
        this.ask = ask;
        this.nanoTime = nanoTime;
    }

    /** Returns statistics that are at most 0.1 seconds old. */
    synchronized S read(G generator) {
        if (stats == null || nanoTime.getAsLong() - asked > NANOS) {
            stats = ask.apply(generator);
            asked = nanoTime.getAsLong();
        }
        return stats;
    }

    /** Makes the next read ask the generator. */
    synchronized void forget() {
        stats = null;
    }
}
