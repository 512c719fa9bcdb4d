package io.github.leafmint.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import org.junit.jupiter.api.Test;

class WeakCacheTest {
    @Test
    void anUnheldTagIsForgottenAndAHeldOneStaysTheSame() throws Exception {
        try (var ids = SegmentGenerator.open("memory:")) {
            var cache = new WeakCache<Tag>();
            Tag held = cache.keep("held", ids.tag("held"));
            held.nextId();
            for (int number = 0; number < 20_000; number++) {
                cache.keep("tag-" + number, ids.tag("tag-" + number));
            }
            for (int round = 0; cache.size() > 100; round++) {
                assertTrue(round < 1000, () -> cache.size() + " names are kept");
                System.gc();
                Thread.sleep(5);
                cache.keep("round-" + round, ids.tag("round-" + round));
            }
            assertSame(held, cache.get("held"));
            assertSame(held, cache.keep("held", ids.tag("other")));
            assertEquals(2, held.nextId());
        }
    }
}
