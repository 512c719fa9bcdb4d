package io.github.leafmint.status;

import io.github.leafmint.SeriesPeriod;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A series as the store has it.
 *
 * <pre>{@code
 * for (SeriesInfo series : ids.listSeries()) {
 *     System.out.println(series.name() + " starts again each " + series.period());
 * }
 * }</pre>
 */
public interface SeriesInfo {
    /** {@return the name, without a key} */
    String name();

    /** {@return the period after which its numbers start again} */
    SeriesPeriod period();

    /** {@return the time zone whose calendar counts; {@code null} if the numbers never start again} */
    @Nullable
    ZoneId zone();

    /** {@return the format of its numbers, as declared last; {@code null} if none was} */
    @Nullable
    String format();
}
