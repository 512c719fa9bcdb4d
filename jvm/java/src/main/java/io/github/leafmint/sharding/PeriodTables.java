package io.github.leafmint.sharding;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/**
 * Names tables that are split by time: a table a day, a month or a year.
 *
 * <p>A pattern is a name with <code>{year}</code> or <code>{yy}</code>, for a table a month also <code>{month}</code>,
 * and for a table a day also <code>{day}</code>. Doubled braces are braces.
 *
 * <pre>{@code
 * List<String> tables = PeriodTables.names("orders_{year}{month}", start, end, ZoneId.of("Europe/Madrid"));
 * String table = PeriodTables.name("orders_{year}{month}", layout.decode(id).timestamp(), ZoneOffset.UTC);
 * }</pre>
 */
public final class PeriodTables {
    private PeriodTables() {}

    /**
     * Returns the names of the tables that hold a span of time.
     *
     * @param pattern the name with the fields of its date
     * @param start the start of the span
     * @param end the end of the span, which is excluded
     * @param zone the time zone in which days, months and years begin
     * @return the names in the order of time; none for an empty span
     * @throws InvalidConfigException if the pattern is invalid, with every problem found
     * @throws InvalidArgumentException if the span ends before it starts or is not within 1970 to 9999, or if
     *     {@code pattern} has an unpaired surrogate
     */
    public static List<String> names(String pattern, Instant start, Instant end, ZoneId zone) {
        return names(pattern, Times.unixMillis(start), Times.unixMillis(end), zone);
    }

    private static List<String> names(String pattern, long start, long end, ZoneId zone) {
        requireNonNull(pattern, "pattern");
        requireNonNull(zone, "zone");
        NativeLibrary.require();
        Text.name("the pattern", pattern);
        long[] moments = Native.momentsOfSpan(start, end);
        long[] days = new long[moments.length * 3];
        for (int at = 0; at < moments.length; at++) {
            var day = LocalDate.ofInstant(Instant.ofEpochMilli(moments[at]), zone);
            days[at * 3] = day.getYear();
            days[at * 3 + 1] = day.getMonthValue();
            days[at * 3 + 2] = day.getDayOfMonth();
        }
        return List.of(Native.periodTables(pattern, days));
    }

    /**
     * Returns the name of the table that holds a moment, such as that of an id.
     *
     * @param pattern the name with the fields of its date
     * @param at the moment
     * @param zone the time zone in which days, months and years begin
     * @return the name
     * @throws InvalidConfigException if the pattern is invalid, with every problem found
     * @throws InvalidArgumentException if the moment is not within 1970 to 9999, or if {@code pattern} has an unpaired
     *     surrogate
     */
    public static String name(String pattern, Instant at, ZoneId zone) {
        long millis = Times.unixMillis(at);
        return names(pattern, millis, millis < Long.MAX_VALUE ? millis + 1 : millis, zone)
                .get(0);
    }
}
