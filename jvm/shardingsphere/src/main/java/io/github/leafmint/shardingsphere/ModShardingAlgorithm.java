package io.github.leafmint.shardingsphere;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import java.util.Collection;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.StandardShardingAlgorithm;

/**
 * Shards by id modulo the number of shards. Type {@code LEAFMINT_MOD}.
 *
 * <p>Property: {@code sharding-count}, the number of shards (required). The names of the shards end in 0 to
 * {@code sharding-count} - 1. A range of fewer ids than shards is sent only to the shards that can hold them, any other
 * range to all.
 *
 * <pre>{@code
 * shardingAlgorithms:
 *   order-mod: {type: LEAFMINT_MOD, props: {sharding-count: 4}}
 * }</pre>
 */
public final class ModShardingAlgorithm implements StandardShardingAlgorithm<Comparable<?>> {
    private static final String COUNT = "sharding-count";

    private int count;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public ModShardingAlgorithm() {}

    @Override
    public void init(Properties properties) {
        count = new AlgorithmProperties(this, properties).only(Set.of(COUNT)).count(COUNT, 1, Integer.MAX_VALUE);
    }

    @Override
    public String doSharding(Collection<String> targets, PreciseShardingValue<Comparable<?>> value) {
        long id = Ids.idOf(value.getColumnName(), value.getValue());
        return Targets.numbered(targets, Math.floorMod(id, count), value.getColumnName() + " " + id);
    }

    @Override
    public Collection<String> doSharding(Collection<String> targets, RangeShardingValue<Comparable<?>> value) {
        Range<Comparable<?>> range = value.getValueRange();
        if (!range.hasLowerBound() || !range.hasUpperBound()) {
            return targets;
        }
        long first = Ids.idOf(value.getColumnName(), range.lowerEndpoint())
                + (range.lowerBoundType() == BoundType.OPEN ? 1 : 0);
        long last = Ids.idOf(value.getColumnName(), range.upperEndpoint())
                - (range.upperBoundType() == BoundType.OPEN ? 1 : 0);
        if (last - first < 0 || last - first >= count) {
            return targets;
        }
        var numbers = new TreeSet<Integer>();
        for (long offset = 0; offset <= last - first; offset++) { // last may be the largest long
            numbers.add(Math.floorMod(first + offset, count));
        }
        return Targets.numbered(targets, numbers);
    }

    @Override
    public String getType() {
        return "LEAFMINT_MOD";
    }
}
