package io.github.leafmint.shardingsphere;

import io.github.leafmint.sharding.ShardRule;
import io.github.leafmint.sharding.ShardStrategy;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/**
 * Shards by the shard suffix of numbers like {@code 1017696496718618220161023}. Type {@code LEAFMINT_SHARD_SUFFIX}.
 *
 * <p>The row of a number minted with {@link ShardRule#mint} is found by the number and by the key. Properties:
 *
 * <ul>
 *   <li>{@code business-code}, {@code sharding-count}: as for {@link ShardRule#of(String, long)} (required)
 *   <li>{@code strategy}: {@code hash_mod}, {@code mod} or {@code crc32} (default: {@code hash_mod})
 *   <li>{@code table-width}: the number of digits of the table (default: 4)
 *   <li>{@code id-column}, {@code key-column}: the column with the numbers, and the one that tables are computed from.
 *       Give both with a complex strategy, one with a standard strategy
 * </ul>
 *
 * <p>A range is sent to all shards.
 *
 * <pre>{@code
 * shardingAlgorithms:
 *   order-suffix:
 *     type: LEAFMINT_SHARD_SUFFIX
 *     props: {business-code: "10", sharding-count: 4, id-column: number, key-column: user_id}
 * }</pre>
 */
public final class ShardSuffixShardingAlgorithm extends IdOrKeyShardingAlgorithm {
    private static final String CODE = "business-code";
    private static final String COUNT = "sharding-count";
    private static final String WIDTH = "table-width";
    private static final String STRATEGY = "strategy";

    private ShardRule rule;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public ShardSuffixShardingAlgorithm() {}

    @Override
    public void init(Properties properties) {
        var read = new AlgorithmProperties(this, properties)
                .only(Set.of(CODE, COUNT, WIDTH, STRATEGY, ID_COLUMN, KEY_COLUMN));
        long width = read.parsed(WIDTH, "4", Long::parseLong);
        ShardStrategy strategy = read.parsed(STRATEGY, "hash_mod", ShardSuffixShardingAlgorithm::strategy);
        rule = ShardRule.of(read.text(CODE), read.parsed(COUNT, Long::parseLong), width, strategy);
        setColumns(read);
    }

    private static ShardStrategy strategy(String name) {
        return ShardStrategy.valueOf(name.toUpperCase(Locale.ROOT));
    }

    @Override
    int shardOfId(String column, Comparable<?> number) {
        return rule.parse(number.toString()).table();
    }

    @Override
    int shardOfKey(Comparable<?> key) {
        return isInteger(key) ? rule.tableOf(Ids.idOf(KEY_COLUMN, key)) : rule.tableOf(key.toString());
    }

    @Override
    public String getType() {
        return "LEAFMINT_SHARD_SUFFIX";
    }
}
