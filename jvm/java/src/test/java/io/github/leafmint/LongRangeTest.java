package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.internal.results.Results;
import org.junit.jupiter.api.Test;

class LongRangeTest {
    @Test
    void aRangeHasASizeAndAStream() {
        var range = new Results.LongRange(5, 8);
        assertEquals(3, range.size());
        assertArrayEquals(new long[] {5, 6, 7}, range.stream().toArray());
    }
}
