package io.github.leafmint;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A series as the store has it.
 *
 * <pre>{@code
 * for (SeriesInfo series : ids.listSeries()) {
 *     System.out.println(series.name() + " starts again each " + series.period());
 * }
 * }</pre>
 *
 * @param name the name, without a key
 * @param period the period after which its numbers start again
 * @param zone the time zone whose calendar counts; {@code null} if the numbers never start again
 */
public record SeriesInfo(
        String name, SeriesPeriod period, @Nullable ZoneId zone) {
    private static final int TEXTS = 3;

    static List<SeriesInfo> readAll(@Nullable String[] texts) {
        return RecordReader.readAll(texts, TEXTS, SeriesInfo::read);
    }

    private static SeriesInfo read(@Nullable String[] texts, int at) {
        String zone = texts[at + 2];
        return new SeriesInfo(
                texts[at],
                SeriesPeriod.valueOf(texts[at + 1].toUpperCase(Locale.ROOT)),
                zone == null ? null : ZoneId.of(zone));
    }
}
