package io.github.leafmint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads records that the core passes as texts, {@code null} for what is missing. */
final class RecordReader {
    private RecordReader() {}

    /** Reads one record from the texts at index {@code at} on. */
    interface Reading<T> {
        T read(@Nullable String[] texts, int at);
    }

    /** Reads records of {@code size} texts each. */
    static <T> List<T> readAll(@Nullable String[] texts, int size, Reading<T> reading) {
        var records = new ArrayList<T>(texts.length / size);
        for (int at = 0; at < texts.length; at += size) {
            records.add(reading.read(texts, at));
        }
        return Collections.unmodifiableList(records);
    }

    /** Reads {@code count} records of {@code size} texts each, from the text at index {@code from} on. */
    static <T> List<T> read(@Nullable String[] texts, int from, int count, int size, Reading<T> reading) {
        return readAll(Arrays.copyOfRange(texts, from, from + count * size), size, reading);
    }

    static @Nullable Long number(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }

    /** Reads Unix milliseconds. */
    static @Nullable Instant time(@Nullable String text) {
        return text == null ? null : Instant.ofEpochMilli(Long.parseLong(text));
    }
}
