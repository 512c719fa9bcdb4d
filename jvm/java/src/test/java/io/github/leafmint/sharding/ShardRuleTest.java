package io.github.leafmint.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.github.leafmint.ClosedException;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.Vectors;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.results.Results;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShardRuleTest {
    /** Returns the strategy of a case. An unknown name has none, so it cannot be passed in Java. */
    private static Optional<ShardStrategy> strategy(JsonObject of) {
        return Arrays.stream(ShardStrategy.values())
                .filter(strategy -> strategy.text().equals(of.get("strategy").getAsString()))
                .findAny();
    }

    private static ShardRule rule(JsonObject of) {
        return ShardRule.of(
                of.get("business_code").getAsString(),
                of.get("tables").getAsLong(),
                of.get("table_width").getAsLong(),
                ShardStrategy.HASH_MOD);
    }

    @Test
    void tablesOfTextsAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "table_of_text")) {
            ShardRule rule = ShardRule.of(
                    "10", expected.get("tables").getAsLong(), strategy(expected).orElseThrow());
            String key = expected.get("key").getAsString();
            if (expected.has("code")) {
                Vectors.refused(expected, () -> rule.tableOf(key));
            } else {
                assertEquals(expected.get("table").getAsInt(), rule.tableOf(key), expected::toString);
            }
        }
    }

    @Test
    void tablesOfIntegersAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "table_of_int")) {
            ShardRule rule = ShardRule.of(
                    "10", expected.get("tables").getAsLong(), strategy(expected).orElseThrow());
            assertEquals(
                    expected.get("table").getAsInt(),
                    rule.tableOf(expected.get("key").getAsLong()),
                    expected::toString);
        }
    }

    @Test
    void numbersAreWrittenAndReadAsInTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "numbers")) {
            ShardRule rule = rule(expected);
            var number = new Results.ShardedId(
                    expected.get("business_code").getAsString(),
                    expected.get("sequence").getAsLong(),
                    expected.get("table").getAsInt(),
                    expected.get("text").getAsString());
            assertEquals(number, rule.parse(number.text()));
            assertEquals(number, rule.compose(number.sequence(), number.table()));
            assertEquals(number.text(), number.toString());
        }
    }

    @Test
    void partsOutOfRangeAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "invalid_compose")) {
            ShardRule rule = rule(expected);
            Vectors.refused(
                    expected,
                    () -> rule.compose(
                            expected.get("sequence").getAsLong(),
                            expected.get("table").getAsLong()));
        }
    }

    @Test
    void textsThatAreNotNumbersOfTheRuleAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "invalid_texts")) {
            ShardRule rule = rule(expected);
            Vectors.refused(expected, () -> rule.parse(expected.get("text").getAsString()));
        }
    }

    @Test
    void rulesOfTheVectorsAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("shards.json", "invalid_rules")) {
            Vectors.refused(
                    expected,
                    () -> Native.shardRuleOf(
                            expected.get("business_code").getAsString(),
                            expected.get("tables").getAsLong(),
                            expected.get("table_width").getAsLong(),
                            expected.get("strategy").getAsString()));
            strategy(expected)
                    .ifPresent(strategy -> Vectors.refused(
                            expected,
                            () -> ShardRule.of(
                                    expected.get("business_code").getAsString(),
                                    expected.get("tables").getAsLong(),
                                    expected.get("table_width").getAsLong(),
                                    strategy)));
        }
    }

    @Test
    void theStrategiesAreThoseOfTheCore() {
        for (ShardStrategy strategy : ShardStrategy.values()) {
            assertEquals(strategy, ShardRule.of("10", 16, strategy).strategy());
        }
        var failure = assertThrows(InvalidConfigException.class, () -> Native.shardRuleOf("10", 16, 4, "none"));
        assertTrue(
                failure.getMessage()
                        .endsWith("is none of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(ShardStrategy.values())
                                                .map(ShardStrategy::text)
                                                .toList())),
                failure.getMessage());
    }

    @Test
    void aTagMintsNumbersThatHoldTheirTable() {
        ShardRule orders = ShardRule.of("10", 1024);
        try (var ids = SegmentGenerator.open("memory://sharded")) {
            Tag order = ids.tag("order");
            assertEquals("1010064", orders.mint(order, "user-42"));
            assertEquals("1020042", orders.mint(order, 42));
            assertEquals(new Results.ShardedId("10", 3, 64, "1030064"), orders.parse(orders.mint(order, "user-42")));
        }
    }

    @Test
    void aRefusedKeyUsesUpNoId() {
        ShardRule modulo = ShardRule.of("10", 1024, ShardStrategy.MOD);
        var next = new AtomicLong();
        assertThrows(InvalidArgumentException.class, () -> modulo.mint(next::incrementAndGet, "user-42"));
        assertThrows(
                InvalidArgumentException.class, () -> ShardRule.of("10", 16).mint(next::incrementAndGet, "\ud83c"));
        assertEquals(0, next.get());
        assertEquals("1010042", modulo.mint(next::incrementAndGet, 42));
    }

    @Test
    void exceptionsOfTheGeneratorAreRethrown() {
        ShardRule orders = ShardRule.of("10", 1024);
        var ids = SegmentGenerator.open("memory://sharded-and-closed");
        Tag order = ids.tag("order");
        ids.close();
        assertThrows(ClosedException.class, () -> orders.mint(order, "user-42"));
        assertThrows(InvalidArgumentException.class, () -> orders.mint(() -> -1, "user-42"));
    }

    @Test
    void aRuleReturnsItsParameters() {
        ShardRule rule = ShardRule.of("007", 16, 2, ShardStrategy.CRC32);
        assertEquals("007", rule.businessCode());
        assertEquals(16, rule.tables());
        assertEquals(2, rule.tableWidth());
        assertEquals(ShardStrategy.CRC32, rule.strategy());
        assertEquals(4, ShardRule.of("10", 1024).tableWidth());
        assertEquals(ShardStrategy.HASH_MOD, ShardRule.of("10", 1024).strategy());
        assertEquals("ShardRule[businessCode=007, tables=16, tableWidth=2, strategy=crc32]", rule.toString());
    }

    @Test
    void rulesAreEqualIfTheyComposeTheSameNumbers() {
        ShardRule rule = ShardRule.of("10", 1024);
        assertEquals(rule, ShardRule.of("10", 1024, 4, ShardStrategy.HASH_MOD));
        assertEquals(rule.hashCode(), ShardRule.of("10", 1024).hashCode());
        assertNotEquals(rule, ShardRule.of("010", 1024));
        assertNotEquals(rule, ShardRule.of("10", 1023));
        assertNotEquals(rule, ShardRule.of("10", 1024, 5, ShardStrategy.HASH_MOD));
        assertNotEquals(rule, ShardRule.of("10", 1024, ShardStrategy.CRC32));
    }

    @Test
    void anUnpairedSurrogateIsRefused() {
        ShardRule rule = ShardRule.of("10", 1024);
        assertThrows(InvalidArgumentException.class, () -> ShardRule.of("\ud83c", 1024));
        assertThrows(InvalidArgumentException.class, () -> rule.tableOf("\udf43\ud83c"));
        assertThrows(InvalidArgumentException.class, () -> rule.parse("\ud83c"));
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        ShardRule rule = ShardRule.of("10", 1024);
        assertEquals(
                "businessCode",
                assertThrows(NullPointerException.class, () -> ShardRule.of(null, 1))
                        .getMessage());
        assertEquals(
                "strategy",
                assertThrows(NullPointerException.class, () -> ShardRule.of("10", 1, null))
                        .getMessage());
        assertEquals(
                "key",
                assertThrows(NullPointerException.class, () -> rule.tableOf(null))
                        .getMessage());
        assertEquals(
                "text",
                assertThrows(NullPointerException.class, () -> rule.parse(null)).getMessage());
        assertEquals(
                "generator",
                assertThrows(NullPointerException.class, () -> rule.mint(null, 1))
                        .getMessage());
        assertEquals(
                "key",
                assertThrows(NullPointerException.class, () -> rule.mint(() -> 1, null))
                        .getMessage());
    }
}
