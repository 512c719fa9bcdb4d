package io.github.leafmint.shardingsphere;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Divides time into intervals. The names of tables end in the start of their interval.
 *
 * @param lower the start of the first interval
 * @param upper the end of the last one
 * @param amount the length of an interval, in {@code unit}
 * @param suffix formats the start of an interval
 */
record Intervals(ZonedDateTime lower, Instant upper, long amount, ChronoUnit unit, DateTimeFormatter suffix) {
    boolean contains(Instant at) {
        return !at.isBefore(lower.toInstant()) && at.isBefore(upper);
    }

    /** Returns the suffix of a time that an interval contains. */
    String suffixAt(Instant at) {
        return suffix.format(start(indexOf(at)));
    }

    /** Returns the table of a time that an interval contains. */
    Optional<String> table(Collection<String> tables, Instant at) {
        String wanted = suffixAt(at);
        return tables.stream().filter(table -> isSuffix(wanted, table)).findFirst();
    }

    /** Returns the tables of all times from {@code first} to {@code last}. */
    List<String> tables(Collection<String> tables, Instant first, Instant last) {
        var missing = new LinkedHashSet<>(tables);
        var found = new ArrayList<String>();
        long end = indexOf(last.isBefore(upper) ? last : upper.minusMillis(1));
        for (long index = Math.max(0, indexOf(first)); index <= end && !missing.isEmpty(); index++) {
            String wanted = suffix.format(start(index));
            missing.removeIf(table -> isSuffix(wanted, table) && found.add(table));
        }
        return found;
    }

    /** Whether a table ends in a suffix, and not only in the end of a longer number. */
    private static boolean isSuffix(String suffix, String table) {
        int at = table.length() - suffix.length();
        return table.endsWith(suffix) && (at == 0 || !Character.isDigit(table.charAt(at - 1)));
    }

    private long indexOf(Instant at) {
        return at.isBefore(lower.toInstant()) ? -1 : unit.between(lower, at.atZone(lower.getZone())) / amount;
    }

    private ZonedDateTime start(long index) {
        return lower.plus(index * amount, unit);
    }
}
