package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.status.SeriesInfo;
import io.github.leafmint.status.TagInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tags of series: which belong to one, and how full its format is. */
final class SeriesTags {
    /** What follows the name of a series in its tags: a key, and the period. */
    private static final Map<SeriesPeriod, Pattern> REST = Map.of(
            SeriesPeriod.DAY, Pattern.compile("(?:/([^@]+))?@([0-9]{4}-[0-9]{2}-[0-9]{2})"),
            SeriesPeriod.MONTH, Pattern.compile("(?:/([^@]+))?@([0-9]{4}-[0-9]{2})"),
            SeriesPeriod.YEAR, Pattern.compile("(?:/([^@]+))?@([0-9]{4})"),
            SeriesPeriod.FOREVER, Pattern.compile("(?:/([^@]+))?()"));

    private static final Pattern NAME_ENDS = Pattern.compile("[/@]");

    /** A tag of a series, with the period as text: empty if the numbers never start again. */
    private record SeriesTag(String key, String group, Long maxId) {}

    /** How full a format is, and when its last number is leased if that is before the period ends. */
    private record Width(long left, Instant ends) {}

    private final Map<String, SeriesInfo> series = new HashMap<>();
    private final Map<String, List<SeriesTag>> tagsOf = new HashMap<>();
    private final List<TagInfo> own = new ArrayList<>();

    SeriesTags(List<TagInfo> tags, List<SeriesInfo> series) {
        for (SeriesInfo each : series) {
            this.series.put(each.name(), each);
            tagsOf.put(each.name(), new ArrayList<>());
        }
        tags.forEach(this::add);
    }

    /** Returns the tags that belong to no series, or cannot be used. */
    List<TagInfo> own() {
        return own;
    }

    private void add(TagInfo tag) {
        String name = NAME_ENDS.split(tag.name(), 2)[0];
        SeriesInfo found = series.get(name);
        Matcher rest = found == null
                ? null
                : REST.get(found.period()).matcher(tag.name().substring(name.length()));
        boolean belongs = rest != null && rest.matches();
        if (belongs) {
            tagsOf.get(name).add(new SeriesTag(rest.group(1), rest.group(2), tag.maxId()));
        }
        if (!belongs || tag.problem() != null) {
            own.add(tag);
        }
    }

    /** Returns a series as the status document has it. */
    Map<String, Object> describe(SeriesInfo info, Instant now) {
        List<SeriesTag> tags = tagsOf.get(info.name());
        String latest =
                tags.stream().map(SeriesTag::group).max(String::compareTo).orElse("");
        Long maxId = tags.stream()
                .filter(tag -> tag.group().equals(latest))
                .map(SeriesTag::maxId)
                .filter(Objects::nonNull)
                .max(Long::compareTo)
                .orElse(null);
        Width width = maxId == null ? null : widthOf(info, latest, maxId, now);
        Map<String, Object> described = StatusRecords.of(SeriesInfo.class, info);
        described.put("keys", distinct(tags.stream().map(SeriesTag::key).toList()));
        described.put("groups", distinct(tags.stream().map(SeriesTag::group).toList()));
        described.put("latest", latest.isEmpty() ? null : latest);
        described.put("max_id", maxId == null ? null : maxId.toString());
        described.put("left", width == null ? null : Long.toString(width.left()));
        described.put("ends", width == null || width.ends() == null ? null : StatusRecords.time(width.ends()));
        return described;
    }

    private static long distinct(List<String> texts) {
        return texts.stream()
                .filter(text -> text != null && !text.isEmpty())
                .distinct()
                .count();
    }

    private static Width widthOf(SeriesInfo info, String latest, long maxId, Instant now) {
        Long largest = largestOf(info.format());
        if (largest == null) {
            return null;
        }
        long left = Math.max(largest - (maxId - 1), 0);
        if (latest.isEmpty() || info.zone() == null) {
            return new Width(left, null);
        }
        LocalDate first = LocalDate.parse((latest + "-01-01").substring(0, 10));
        Instant begins = first.atStartOfDay(info.zone()).toInstant();
        Instant ends = after(first, info.period()).atStartOfDay(info.zone()).toInstant();
        if (maxId <= 1 || !now.isAfter(begins)) {
            return new Width(left, null);
        }
        double lasts = LeafmintDescriptors.seconds(Duration.between(begins, now)) * left / (maxId - 1);
        boolean isBefore = lasts < LeafmintDescriptors.seconds(Duration.between(now, ends));
        return new Width(left, isBefore ? now.plusMillis((long) (lasts * 1000)) : null);
    }

    private static LocalDate after(LocalDate first, SeriesPeriod period) {
        return switch (period) {
            case DAY -> first.plusDays(1);
            case MONTH -> first.plusMonths(1);
            case YEAR, FOREVER -> first.plusYears(1);
        };
    }

    /** Returns the largest number of a stored format, {@code null} if there is none that this version can read. */
    private static Long largestOf(String format) {
        try {
            long largest = format == null ? Long.MAX_VALUE : IdFormat.of(format).largest();
            return largest == Long.MAX_VALUE ? null : largest;
        } catch (InvalidConfigException unreadable) {
            return null;
        }
    }
}
