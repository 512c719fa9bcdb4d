package io.github.leafmint.shardingsphere;

import io.github.leafmint.SegmentGenerator;
import java.util.Collection;
import java.util.Properties;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * Generates keys from segments. Type {@code LEAFMINT_SEGMENT}.
 *
 * <p>Properties: {@code url}, the store (required); {@code tag}, the tag of all tables that use this key generator
 * (default: the name of the logic table); and every option of {@link io.github.leafmint.Leafmint#segmentOptions()
 * segment generators}, for example {@code timeout: 500ms}. ShardingSphere does not tell a key generator the row, so ids
 * with genes must be minted by the application.
 *
 * <p>The generator connects for the first key, and is closed at the exit of the JVM: ShardingSphere does not close its
 * algorithms.
 *
 * <pre>{@code
 * keyGenerators:
 *   order-ids: {type: LEAFMINT_SEGMENT, props: {url: "mysql://app@db1,db2/shop", password: "${DB_PASSWORD}"}}
 * }</pre>
 */
public final class SegmentKeyGenerateAlgorithm implements KeyGenerateAlgorithm {
    private static final String TAG = "tag";

    private SegmentGenerator ids;
    private String tag;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public SegmentKeyGenerateAlgorithm() {}

    @Override
    public void init(Properties properties) {
        var read = new AlgorithmProperties(this, properties);
        tag = read.text(TAG, "");
        var builder = SegmentGenerator.builder(read.text(AlgorithmProperties.URL));
        read.passOptions(Set.of(AlgorithmProperties.URL, TAG), builder::option);
        ids = builder.open();
    }

    @Override
    public Collection<Long> generateKeys(AlgorithmSQLContext context, int count) {
        String name = tag.isEmpty() ? context.getTableName() : tag;
        return LongStream.of(ids.tag(name).nextIds(count)).boxed().toList();
    }

    @Override
    public boolean isSupportAutoIncrement() {
        return true;
    }

    @Override
    public String getType() {
        return "LEAFMINT_SEGMENT";
    }
}
