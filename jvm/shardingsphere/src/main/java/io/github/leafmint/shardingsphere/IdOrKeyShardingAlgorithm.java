package io.github.leafmint.shardingsphere;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.shardingsphere.sharding.api.sharding.complex.ComplexKeysShardingAlgorithm;
import org.apache.shardingsphere.sharding.api.sharding.complex.ComplexKeysShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.StandardShardingAlgorithm;

/** Base class of algorithms that find the shard of a row by its id as well as by the key that the id carries. */
abstract sealed class IdOrKeyShardingAlgorithm
        implements ComplexKeysShardingAlgorithm<Comparable<?>>, StandardShardingAlgorithm<Comparable<?>>
        permits GeneShardingAlgorithm, ShardSuffixShardingAlgorithm {
    static final String ID_COLUMN = "id-column";
    static final String KEY_COLUMN = "key-column";

    private String idColumn = "";
    private String keyColumn = "";

    abstract int shardOfId(String column, Comparable<?> id);

    abstract int shardOfKey(Comparable<?> key);

    final void setColumns(AlgorithmProperties properties) {
        idColumn = properties.text(ID_COLUMN, "");
        keyColumn = properties.text(KEY_COLUMN, "");
        if (idColumn.isEmpty() && keyColumn.isEmpty()) {
            throw properties.invalid("properties \"" + ID_COLUMN + "\" and \"" + KEY_COLUMN + "\" are missing");
        }
    }

    /** Whether a key counts as a number. A number and the text of its digits may belong to different shards. */
    static boolean isInteger(Object key) {
        return key instanceof Long
                || key instanceof Integer
                || key instanceof Short
                || key instanceof Byte
                || key instanceof BigInteger
                || (key instanceof BigDecimal decimal
                        && decimal.stripTrailingZeros().scale() <= 0);
    }

    @Override
    public final String doSharding(Collection<String> targets, PreciseShardingValue<Comparable<?>> value) {
        String column = value.getColumnName();
        Ids.requireValue(column, value.getValue());
        return Targets.numbered(targets, shardOf(column, value.getValue()), column + " " + value.getValue());
    }

    @Override
    public final Collection<String> doSharding(Collection<String> targets, RangeShardingValue<Comparable<?>> value) {
        return targets;
    }

    @Override
    public final Collection<String> doSharding(
            Collection<String> targets, ComplexKeysShardingValue<Comparable<?>> value) {
        var columns = new TreeMap<String, Collection<Comparable<?>>>(String.CASE_INSENSITIVE_ORDER);
        columns.putAll(value.getColumnNameAndShardingValuesMap());
        var shards = shardsOf(columns, idColumn);
        var shardsOfKeys = shardsOf(columns, keyColumn);
        if (shards.isEmpty()) {
            shards = shardsOfKeys;
        } else if (!shardsOfKeys.isEmpty() && !shards.equals(shardsOfKeys)) {
            shards = both(shards, shardsOfKeys);
        }
        return shards.isEmpty() ? targets : Targets.numbered(targets, shards);
    }

    /** Returns the shards that both conditions allow. If there is none, the ids decide, since a route needs a table. */
    private static TreeSet<Integer> both(TreeSet<Integer> ofIds, TreeSet<Integer> ofKeys) {
        var common = new TreeSet<>(ofIds);
        common.retainAll(ofKeys);
        return common.isEmpty() ? ofIds : common;
    }

    private TreeSet<Integer> shardsOf(Map<String, Collection<Comparable<?>>> columns, String column) {
        var shards = new TreeSet<Integer>();
        for (Comparable<?> value : columns.getOrDefault(column, List.of())) {
            if (value != null) { // no row equals null
                shards.add(shardOf(column, value));
            }
        }
        return shards;
    }

    private int shardOf(String column, Comparable<?> value) {
        if (column.equalsIgnoreCase(idColumn)) {
            return shardOfId(column, value);
        }
        if (column.equalsIgnoreCase(keyColumn)) {
            return shardOfKey(value);
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "sharding column %s is neither %s \"%s\" nor %s \"%s\"",
                column,
                ID_COLUMN,
                idColumn,
                KEY_COLUMN,
                keyColumn));
    }
}
