package io.github.leafmint;

/** Writes runs of consecutive ids into an array. */
final class Runs {
    private Runs() {}

    /** Writes {@code count} ids from {@code start} on, the first one at index {@code from}. */
    static long[] write(long[] into, int from, long start, int count) {
        long ahead = start - from;
        for (int at = from, end = from + count; at < end; at++) {
            into[at] = ahead + at;
        }
        return into;
    }

    /** Writes the ids of all runs; {@code edges} holds start and end of each. */
    static long[] writeAll(long[] into, int from, long[] edges) {
        for (int edge = 0; edge < edges.length; edge += 2) {
            int count = (int) (edges[edge + 1] - edges[edge]);
            write(into, from, edges[edge], count);
            from += count;
        }
        return into;
    }
}
