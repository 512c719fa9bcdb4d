package io.github.leafmint.shardingsphere;

import io.github.leafmint.sharding.Genes;
import java.util.Properties;
import java.util.Set;

/**
 * Shards by the gene that ids carry. Type {@code LEAFMINT_GENE}.
 *
 * <p>The row of an id minted with {@code nextIdWithGene(Genes.geneOfKey(userId, bits))} is found by the id and by the
 * user, without a look-up table. Properties:
 *
 * <ul>
 *   <li>{@code gene-bits}: the number of gene bits, 1 to 12 (required)
 *   <li>{@code sharding-count}: the number of shards, at most 2<sup>gene-bits</sup> (default: that many). The shard is
 *       the gene modulo this number, so doubling it later moves every second row
 *   <li>{@code id-column}, {@code key-column}: the column with the ids, and the one that genes are computed from. Give
 *       both with a complex strategy, one with a standard strategy
 * </ul>
 *
 * <p>Genes are not ordered, so a range is sent to all shards.
 *
 * <pre>{@code
 * tables:
 *   t_order:
 *     actualDataNodes: ds.t_order_${0..3}
 *     tableStrategy: {complex: {shardingColumns: "id,user_id", shardingAlgorithmName: order-gene}}
 * shardingAlgorithms:
 *   order-gene:
 *     type: LEAFMINT_GENE
 *     props: {gene-bits: 4, sharding-count: 4, id-column: id, key-column: user_id}
 * }</pre>
 */
public final class GeneShardingAlgorithm extends IdOrKeyShardingAlgorithm {
    private static final String BITS = "gene-bits";
    private static final String COUNT = "sharding-count";

    private int bits;
    private int count;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public GeneShardingAlgorithm() {}

    @Override
    public void init(Properties properties) {
        var read = new AlgorithmProperties(this, properties).only(Set.of(BITS, COUNT, ID_COLUMN, KEY_COLUMN));
        bits = read.count(BITS, 1, 12);
        count = read.has(COUNT) ? read.count(COUNT, 1, 1 << bits) : 1 << bits;
        setColumns(read);
    }

    @Override
    int shardOfId(String column, Comparable<?> id) {
        return Genes.geneOfId(Ids.idOf(column, id), bits) % count;
    }

    @Override
    int shardOfKey(Comparable<?> key) {
        int gene = isInteger(key)
                ? Genes.geneOfKey(Ids.idOf(KEY_COLUMN, key), bits)
                : Genes.geneOfKey(key.toString(), bits);
        return gene % count;
    }

    @Override
    public String getType() {
        return "LEAFMINT_GENE";
    }
}
