package io.github.leafmint.bench.apps;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** UUIDs as libraries make them. */
final class Uuids {
    private Uuids() {}

    /** Returns a UUID of the present millisecond. */
    static UUID version7() {
        var dice = ThreadLocalRandom.current();
        long time = System.currentTimeMillis() << 16 | 7L << 12 | dice.nextInt(1 << 12);
        return new UUID(time, 2L << 62 | dice.nextLong() >>> 2);
    }
}
