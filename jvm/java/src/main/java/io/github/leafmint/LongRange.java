package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;
import java.util.stream.LongStream;

/**
 * A range of consecutive ids, from {@code start} to just before {@code end}.
 *
 * <pre>{@code
 * LongRange lines = order.nextRange(3);
 * lines.stream().forEach(id -> insert(id));
 * }</pre>
 *
 * @param start the first id
 * @param end the number after the last id
 */
public record LongRange(@IdAsString long start, @IdAsString long end) {
    /**
     * Returns the number of ids.
     *
     * @return the number of ids
     */
    public long size() {
        return end - start;
    }

    /**
     * Returns the ids, ascending.
     *
     * @return a stream of {@link #size()} ids
     */
    public LongStream stream() {
        return LongStream.range(start, end);
    }
}
