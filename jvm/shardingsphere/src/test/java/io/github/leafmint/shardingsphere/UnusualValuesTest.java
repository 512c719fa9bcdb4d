package io.github.leafmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Range;
import io.github.leafmint.sharding.Genes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.shardingsphere.infra.datanode.DataNodeInfo;
import org.apache.shardingsphere.sharding.api.sharding.complex.ComplexKeysShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnusualValuesTest {
    private static final List<String> TABLES = List.of("t_order_0", "t_order_1", "t_order_2", "t_order_3");
    private static final DataNodeInfo NODES = new DataNodeInfo("t_order_", 1, '0');

    private static Collection<String> tablesOf(Range<Comparable<?>> ids) {
        var mod = new ModShardingAlgorithm();
        mod.init(properties("sharding-count", "4"));
        return mod.doSharding(TABLES, new RangeShardingValue<>("t_order", "id", NODES, ids));
    }

    private static Properties properties(String... namesAndValues) {
        var properties = new Properties();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            properties.setProperty(namesAndValues[at], namesAndValues[at + 1]);
        }
        return properties;
    }

    @Test
    void aRangeAtTheEndOfALongHasAnEnd() {
        assertEquals(List.of("t_order_2", "t_order_3"), tablesOf(Range.closed(Long.MAX_VALUE - 1, Long.MAX_VALUE)));
        assertEquals(List.of("t_order_0", "t_order_1"), tablesOf(Range.closed(Long.MIN_VALUE, Long.MIN_VALUE + 1)));
        assertEquals(TABLES, tablesOf(Range.openClosed(Long.MAX_VALUE, Long.MAX_VALUE)));
    }

    @Test
    void nullIsRefusedWithItsColumnOrLeftOutOfSeveral() {
        var gene = new GeneShardingAlgorithm();
        gene.init(properties("gene-bits", "2", "id-column", "id", "key-column", "user_id"));
        for (String column : List.of("id", "user_id")) {
            var value = new PreciseShardingValue<Comparable<?>>("t_order", column, NODES, null);
            var failure = assertThrows(IllegalArgumentException.class, () -> gene.doSharding(TABLES, value));
            assertTrue(failure.getMessage().contains("column " + column + " has the value null"), failure::getMessage);
        }
        assertEquals(List.of("t_order_3"), gene.doSharding(TABLES, valuesOf("id", Arrays.asList(null, 7L))));
        assertEquals(TABLES, gene.doSharding(TABLES, valuesOf("id", Collections.singletonList(null))));
    }

    private static ComplexKeysShardingValue<Comparable<?>> valuesOf(String column, Collection<Comparable<?>> values) {
        return new ComplexKeysShardingValue<>("t_order", Map.of(column, values), Map.of());
    }

    @Test
    void aWholeNumberHasTheGeneOfItsValueInEveryType() {
        var gene = new GeneShardingAlgorithm();
        gene.init(properties("gene-bits", "2", "key-column", "user_id"));
        for (long user = 0; user < 20; user++) {
            String table = "t_order_" + Genes.geneOfKey(user, 2);
            for (Comparable<?> key : List.<Comparable<?>>of(
                    user, (byte) user, (short) user, BigInteger.valueOf(user), new BigDecimal(user + ".00"))) {
                assertEquals(
                        table,
                        gene.doSharding(TABLES, new PreciseShardingValue<>("t_order", "user_id", NODES, key)),
                        () -> key.getClass() + " " + key);
            }
        }
    }
}
