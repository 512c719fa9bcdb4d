package io.github.leafmint.shardingsphere;

import io.github.leafmint.SnowflakeGenerator;
import java.util.Collection;
import java.util.Properties;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * Generates snowflakes as keys. Type {@code LEAFMINT_SNOWFLAKE}.
 *
 * <p>Properties: {@code url}, the holder of the worker ids (required), and every option of
 * {@link io.github.leafmint.Leafmint#snowflakeOptions() snowflake generators}, for example {@code layout: wide}. Each
 * key generator uses a worker id of its own, so declare one for all tables.
 *
 * <p>The generator takes its worker id for the first key, and is closed at the exit of the JVM: ShardingSphere does not
 * close its algorithms.
 *
 * <pre>{@code
 * keyGenerators:
 *   snowflakes: {type: LEAFMINT_SNOWFLAKE, props: {url: "mysql://app@db1,db2/shop", password: "${DB_PASSWORD}"}}
 * }</pre>
 */
public final class SnowflakeKeyGenerateAlgorithm implements KeyGenerateAlgorithm {
    private SnowflakeGenerator snowflakes;

    /** Creates the algorithm; ShardingSphere then calls {@link #init}. */
    public SnowflakeKeyGenerateAlgorithm() {}

    @Override
    public void init(Properties properties) {
        var read = new AlgorithmProperties(this, properties);
        var builder = SnowflakeGenerator.builder(read.text(AlgorithmProperties.URL));
        read.passOptions(Set.of(AlgorithmProperties.URL), builder::option);
        snowflakes = builder.open();
    }

    @Override
    public Collection<Long> generateKeys(AlgorithmSQLContext context, int count) {
        return LongStream.of(snowflakes.nextIds(count)).boxed().toList();
    }

    @Override
    public boolean isSupportAutoIncrement() {
        return true;
    }

    @Override
    public String getType() {
        return "LEAFMINT_SNOWFLAKE";
    }
}
