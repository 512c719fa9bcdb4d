package io.github.leafmint.internal.lending;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a statement. */
public sealed interface Ran {
    /** Its rows; each value is the text that the driver makes of it. */
    record Rows(int columns, List<@Nullable String[]> rows) implements Ran {}

    /** The number of rows that it changed. */
    record Changed(long count) implements Ran {}

    /**
     * What the driver's exception says.
     *
     * @param number the server's number, {@code null} if it gave none
     * @param state the SQLSTATE, {@code null} if the driver knows none
     * @param isLost whether the connection is gone, or none could be had
     */
    record Failed(@Nullable Integer number, @Nullable String state, String text, boolean isLost) implements Ran {}
}
