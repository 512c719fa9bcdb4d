package io.github.leafmint;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** What the numbers of one period of a series have in common. */
record SeriesGroup(
        String series,
        @Nullable String key,
        String text,
        @Nullable LocalDate date,
        @Nullable IdFormat format) {
    /** Returns the name, the key and the period, which no other group has. */
    @Override
    public String toString() {
        String label = key == null ? series : series + "/" + key;
        return text.isEmpty() ? label : label + "@" + text;
    }
}
