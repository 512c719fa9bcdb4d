package io.github.leafmint.ids;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(60)
class PublicIdsTest {
    private static final String NEW = "lmk1_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";
    private static final String OLD = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    private static final PublicIds ORDERS = PublicIds.of("order", IdKeys.of(NEW));

    @Test
    void idsAreReadBack() {
        for (long id : new long[] {0, 1, 42, 1L << 52, Long.MAX_VALUE}) {
            String text = ORDERS.encode(id);
            assertTrue(text.matches(ORDERS.pattern()), text);
            assertEquals(id, ORDERS.decode(text));
        }
        assertEquals("order", ORDERS.name());
        assertEquals("order", ORDERS.prefix());
        assertEquals("PublicIds[name=order, prefix=order]", ORDERS.toString());
    }

    @Test
    void manyIdsHaveTheTextsOfEach() {
        long[] ids = LongStream.range(0, 1000).map(n -> n * n * n).toArray();
        String[] texts = ORDERS.encodeAll(ids);
        assertArrayEquals(Arrays.stream(ids).mapToObj(ORDERS::encode).toArray(), texts);
        assertArrayEquals(ids, ORDERS.decodeAll(texts));
        assertEquals(0, ORDERS.encodeAll(new long[0]).length);
        assertEquals(0, ORDERS.decodeAll(new String[0]).length);
    }

    @Test
    void anotherPrefixHidesTheIdsOfTheSameNameAlike() {
        PublicIds renamed = PublicIds.of("order", IdKeys.of(NEW), "ord");
        assertEquals("ord", renamed.prefix());
        assertEquals(ORDERS.encode(42).replace("order_", "ord_"), renamed.encode(42));
        refused(renamed, ORDERS.encode(42));
    }

    @Test
    void aNewKeyEncodesAndAllDecode() {
        String old = PublicIds.of("order", IdKeys.of(OLD)).encode(42);
        PublicIds both = PublicIds.of("order", IdKeys.of(NEW, OLD));
        assertEquals(ORDERS.encode(42), both.encode(42));
        assertArrayEquals(new long[] {42, 43}, both.decodeAll(new String[] {old, both.encode(43)}));
        refused(ORDERS, old);
    }

    @Test
    void whatWasNotWrittenWithAKeyIsRefusedWithoutSayingWhy() {
        String text = ORDERS.encode(42);
        for (String wrong : List.of(
                "",
                "order_",
                "42",
                text + "0",
                text.substring(1),
                text.toUpperCase(),
                text.replace("order", "customer"),
                PublicIds.of("customer", IdKeys.of(NEW), "order").encode(42),
                text.substring(0, 31) + "\u0131",
                text.substring(0, 30) + "\u0131",
                text.substring(0, 31) + "\ud83c",
                text.substring(0, 31) + "\0")) {
            String message = refused(ORDERS, wrong);
            assertTrue(message.endsWith("is not an id of this kind: \"order\""), message);
        }
    }

    private static String refused(PublicIds ids, String text) {
        var failure = assertThrows(InvalidIdException.class, () -> ids.decode(text), text);
        String right = ids.encode(1);
        var inArray = assertThrows(
                InvalidIdException.class, () -> ids.decodeAll(new String[] {right, right, text, "x"}), text);
        assertEquals("ids[2]: " + failure.getMessage(), inArray.getMessage());
        return failure.getMessage();
    }

    @Test
    void aNegativeIdIsRefusedWithItsPlace() {
        assertThrows(InvalidIdException.class, () -> ORDERS.encode(-1));
        var failure = assertThrows(InvalidIdException.class, () -> ORDERS.encodeAll(new long[] {1, 2, -3}));
        assertTrue(failure.getMessage().startsWith("ids[2]: -3 is negative"), failure.getMessage());
    }

    @Test
    void moreIdsThanAnArrayHoldsAreRefused() {
        PublicIds longest = PublicIds.of("order", IdKeys.of(NEW), "x".repeat(63));
        var failure = assertThrows(InvalidArgumentException.class, () -> longest.decodeAll(new String[24_000_000]));
        assertTrue(failure.getMessage().contains("24000000 is out of range (0 to 23860929)"), failure.getMessage());
    }

    @Test
    void wrongNamesAreRefused() {
        IdKeys keys = IdKeys.of(NEW);
        for (String wrong : List.of("", "Order", "order_", "1order", "o-rder", "x".repeat(64), "\ud83c")) {
            assertThrows(InvalidConfigException.class, () -> PublicIds.of(wrong, keys), wrong);
            assertThrows(InvalidConfigException.class, () -> PublicIds.of("order", keys, wrong), wrong);
        }
    }

    @Test
    void idsOfUnreachableKeysGoOn() throws Exception {
        PublicIds ids = PublicIds.of("order", IdKeys.of(NEW));
        String text = ids.encode(42);
        for (int round = 0; round < 20; round++) {
            System.gc();
            IdKeys.of(OLD); // frees those that became unreachable
            assertEquals(text, ids.encode(42));
        }
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        IdKeys keys = IdKeys.of(NEW);
        assertNamed("name", () -> PublicIds.of(null, keys));
        assertNamed("keys", () -> PublicIds.of("order", null));
        assertNamed("prefix", () -> PublicIds.of("order", keys, null));
        assertNamed("text", () -> ORDERS.decode(null));
        assertNamed("ids", () -> ORDERS.encodeAll(null));
        assertNamed("texts", () -> ORDERS.decodeAll(null));
        assertNamed("texts", () -> ORDERS.decodeAll(new String[] {ORDERS.encode(1), null}));
    }

    private static void assertNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
