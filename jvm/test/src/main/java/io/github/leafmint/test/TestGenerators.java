package io.github.leafmint.test;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.VirtualClock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens generators for tests, in any test framework. The test closes them.
 *
 * <pre>{@code
 * try (var ids = TestGenerators.segments();
 *         var flakes = TestGenerators.snowflakes(TestGenerators.clock())) {
 *     System.out.println(ids.tag("order").nextId()); // 1
 *     System.out.println(flakes.decode(flakes.nextId()).timestamp()); // 2026-01-01T00:00:00Z
 * }
 * }</pre>
 */
public final class TestGenerators {
    /** What a clock of a test shows at first: 2026-01-01T00:00:00Z. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    // Class loaders may share the native library, so a number alone is not unique. A UUID is what tests like to
    // replace.
    private static final String OF_THIS_CLASS = Long.toString(System.nanoTime(), 36);
    private static final AtomicLong NUMBERS = new AtomicLong();

    private TestGenerators() {}

    /**
     * Opens a segment generator on a store of its own in memory: the ids of each tag start at 1.
     *
     * @return the generator
     */
    public static SegmentGenerator segments() {
        return SegmentGenerator.open(uniqueUrl());
    }

    /**
     * Opens a segment generator on a store of its own in memory, whose series have the dates of a clock.
     *
     * @param clock the clock
     * @return the generator
     */
    public static SegmentGenerator segments(VirtualClock clock) {
        return SegmentGenerator.builder(uniqueUrl()).clock(clock).open();
    }

    /**
     * Returns the URL of a store in memory that no other generator uses, for {@link SegmentGenerator#builder(String)}.
     *
     * @return a URL
     */
    public static String uniqueUrl() {
        return "memory://leafmint-test-" + OF_THIS_CLASS + "-" + NUMBERS.incrementAndGet();
    }

    /**
     * Opens a snowflake generator with worker id 0 on a clock that only the test moves. For other worker ids and for
     * options see {@link SnowflakeGenerator#builder(VirtualClock, long)}.
     *
     * @param clock the clock
     * @return the generator
     */
    public static SnowflakeGenerator snowflakes(VirtualClock clock) {
        return SnowflakeGenerator.builder(clock, 0).open();
    }

    /**
     * Returns a new clock that shows {@link #START}.
     *
     * @return the clock
     */
    public static VirtualClock clock() {
        return VirtualClock.at(START);
    }
}
