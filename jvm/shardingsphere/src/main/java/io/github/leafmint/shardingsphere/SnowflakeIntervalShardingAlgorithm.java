package io.github.leafmint.shardingsphere;

import com.google.common.collect.Range;
import io.github.leafmint.Layout;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.StandardShardingAlgorithm;

/**
 * Shards by the time in snowflakes, for example a table a month. Type {@code LEAFMINT_SNOWFLAKE_INTERVAL}.
 *
 * <p>A range of ids, such as {@code id BETWEEN layout.minId(from) AND layout.maxId(to)}, is sent only to the tables of
 * that time. Properties, with the names of ShardingSphere's own {@code INTERVAL}:
 *
 * <ul>
 *   <li>{@code datetime-lower}: the start of the first table, as {@code yyyy-MM-dd HH:mm:ss} (required)
 *   <li>{@code datetime-upper}: the end of the last table (default: the end of the layout's timestamp bits)
 *   <li>{@code sharding-suffix-pattern}: the suffix of a table as a pattern of {@link DateTimeFormatter}, for example
 *       {@code yyyyMM} (required)
 *   <li>{@code datetime-interval-unit}: {@code HOURS}, {@code DAYS}, {@code WEEKS}, {@code MONTHS} or {@code YEARS}
 *       (default: {@code MONTHS}); {@code datetime-interval-amount}: how many of them a table holds (default: 1)
 *   <li>{@code zone-id}: the time zone of all these (default: {@code UTC})
 *   <li>{@code layout}, {@code epoch}: the layout of the ids, as for {@link Layout#of(String, Instant)} (default:
 *       {@code leaf} with its epoch)
 * </ul>
 *
 * <pre>{@code
 * shardingAlgorithms:
 *   order-months:
 *     type: LEAFMINT_SNOWFLAKE_INTERVAL
 *     props: {datetime-lower: "2026-01-01 00:00:00", sharding-suffix-pattern: yyyyMM}
 * }</pre>
 */
public final class SnowflakeIntervalShardingAlgorithm implements StandardShardingAlgorithm<Comparable<?>> {
    private static final String LOWER = "datetime-lower";
    private static final String UPPER = "datetime-upper";
    private static final String SUFFIX = "sharding-suffix-pattern";
    private static final String UNIT = "datetime-interval-unit";
    private static final String AMOUNT = "datetime-interval-amount";
    private static final String ZONE = "zone-id";
    private static final String LAYOUT = "layout";
    private static final String EPOCH = "epoch";
    private static final Set<String> KNOWN = Set.of(LOWER, UPPER, SUFFIX, UNIT, AMOUNT, ZONE, LAYOUT, EPOCH);

    private static final Set<ChronoUnit> UNITS =
            EnumSet.of(ChronoUnit.HOURS, ChronoUnit.DAYS, ChronoUnit.WEEKS, ChronoUnit.MONTHS, ChronoUnit.YEARS);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private Layout layout;
    private Intervals intervals;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public SnowflakeIntervalShardingAlgorithm() {}

    @Override
    public void init(Properties properties) {
        var read = new AlgorithmProperties(this, properties).only(KNOWN);
        String name = read.text(LAYOUT, "leaf");
        layout = read.has(EPOCH)
                ? Layout.of(name, read.parsed(EPOCH, SnowflakeIntervalShardingAlgorithm::epoch))
                : Layout.of(name);
        ZoneId zone = read.parsed(ZONE, "UTC", ZoneId::of);
        ZonedDateTime lower = read.parsed(LOWER, text -> at(text, zone));
        Instant upper =
                read.has(UPPER) ? read.parsed(UPPER, text -> at(text, zone)).toInstant() : layout.runsOut();
        ChronoUnit unit = read.parsed(UNIT, "MONTHS", SnowflakeIntervalShardingAlgorithm::unit);
        int amount = read.has(AMOUNT) ? read.count(AMOUNT, 1, 1_000_000) : 1;
        DateTimeFormatter suffix = read.parsed(SUFFIX, text -> DateTimeFormatter.ofPattern(text, Locale.ROOT));
        intervals = new Intervals(lower, upper, amount, unit, suffix);
    }

    private static ZonedDateTime at(String text, ZoneId zone) {
        return LocalDateTime.parse(text, TIME).atZone(zone);
    }

    private static Instant epoch(String text) {
        return text.matches("-?\\d+") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text);
    }

    private static ChronoUnit unit(String name) {
        var unit = ChronoUnit.valueOf(name.toUpperCase(Locale.ROOT));
        if (!UNITS.contains(unit)) {
            throw new IllegalArgumentException("it must be one of " + UNITS);
        }
        return unit;
    }

    @Override
    public String doSharding(Collection<String> targets, PreciseShardingValue<Comparable<?>> value) {
        long id = Ids.idOf(value.getColumnName(), value.getValue());
        Instant minted = layout.decode(id).timestamp();
        String idOfTime = value.getColumnName() + " " + id + " was minted at " + minted;
        if (!intervals.contains(minted)) {
            throw new IllegalStateException(idOfTime + ", which is not from " + intervals.lower() + " to before "
                    + intervals.upper() + ": correct " + LOWER + " or " + UPPER);
        }
        return intervals
                .table(targets, minted)
                .orElseThrow(() -> new IllegalStateException(idOfTime + ", but none of " + targets + " ends in \""
                        + intervals.suffixAt(minted) + "\": add that table to actualDataNodes"));
    }

    @Override
    public Collection<String> doSharding(Collection<String> targets, RangeShardingValue<Comparable<?>> value) {
        Range<Comparable<?>> range = value.getValueRange();
        String column = value.getColumnName();
        Instant first = range.hasLowerBound() ? timeOf(column, range.lowerEndpoint()) : Instant.EPOCH;
        Instant last = range.hasUpperBound() ? timeOf(column, range.upperEndpoint()) : intervals.upper();
        List<String> found = intervals.tables(targets, first, last);
        // A statement has to go somewhere, also if no table can have such ids.
        return found.isEmpty() ? List.of(targets.iterator().next()) : found;
    }

    /** Returns the time of a bound, which need not be an id that was minted. */
    private Instant timeOf(String column, Comparable<?> bound) {
        long id = Ids.idOf(column, bound);
        return layout.decode(Math.max(0, Math.min(id, layout.lastId()))).timestamp();
    }

    @Override
    public String getType() {
        return "LEAFMINT_SNOWFLAKE_INTERVAL";
    }
}
