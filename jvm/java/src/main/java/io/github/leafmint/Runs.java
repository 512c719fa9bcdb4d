package io.github.leafmint;

/** Writes runs of ids out into an array. */
final class Runs {
    /** Counts from 0. Adding to it is a loop that the compiler turns into vector instructions; counting up is not, before JDK 21. */
    private static final long[] COUNT = new long[512];

    static {
        for (int at = 0; at < COUNT.length; at++) {
            COUNT[at] = at;
        }
    }

    private Runs() {}

    /** Writes {@code count} ids from {@code start} on, beginning at the place {@code from}. */
    static long[] write(long[] into, int from, long start, int count) {
        for (int done = 0; done < count; done += COUNT.length) {
            add(into, from + done, start + done, Math.min(COUNT.length, count - done));
        }
        return into;
    }

    /** Writes the ids of all runs, of which {@code edges} holds start and end in turn. */
    static long[] writeAll(long[] into, int from, long[] edges) {
        for (int edge = 0; edge < edges.length; edge += 2) {
            int count = (int) (edges[edge + 1] - edges[edge]);
            write(into, from, edges[edge], count);
            from += count;
        }
        return into;
    }

    private static void add(long[] into, int from, long start, int count) {
        for (int at = 0; at < count; at++) {
            into[from + at] = COUNT[at] + start;
        }
    }
}
