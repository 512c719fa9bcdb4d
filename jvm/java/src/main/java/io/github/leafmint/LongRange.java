package io.github.leafmint;

import java.util.stream.LongStream;

/**
 * A range of consecutive ids, from {@code start} to just before {@code end}.
 *
 * <p>Only leafmint implements it: a later version may add methods.
 *
 * <pre>{@code
 * LongRange lines = order.nextRange(3);
 * lines.stream().forEach(id -> insert(id));
 * }</pre>
 */
public interface LongRange {
    /** {@return the first id} */
    long start();

    /** {@return the number after the last id} */
    long end();

    /**
     * Returns the number of ids.
     *
     * @return the number of ids
     */
    default long size() {
        return end() - start();
    }

    /**
     * Returns the ids, ascending.
     *
     * @return a stream of {@link #size()} ids
     */
    default LongStream stream() {
        return LongStream.range(start(), end());
    }
}
