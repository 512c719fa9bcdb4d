package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SnowflakeStats;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Computes the horizon of a worker id: the time up to which it is reserved for this process. */
final class Horizon {
    private Horizon() {}

    /** Returns the horizon as an ISO 8601 text; {@code null} without a worker id. */
    static String of(SnowflakeStats stats) {
        if (stats.horizonSeconds() == null) {
            return null;
        }
        // Horizons are times of the generator's clock, which can be ahead of the wall clock.
        long ahead = Math.round(stats.horizonSeconds() * 1000) + stats.clockLeadMillis();
        return Instant.now().plusMillis(ahead).truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
