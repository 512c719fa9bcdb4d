package io.github.leafmint.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.IdFormat;
import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(60)
class ScrambledNumbersTest {
    private static final String NEW = "lmk1_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";
    private static final String OLD = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    private static final IdFormat FORMAT = IdFormat.of("M-{number:8}-{check:damm}");
    private static final ScrambledNumbers MEMBERS = ScrambledNumbers.of("member", IdKeys.of(OLD), FORMAT);

    @Test
    void idsAreReadBackAndNeighboursAreNot() {
        assertEquals(99_999_999, MEMBERS.largest());
        for (long id : new long[] {0, 1, 42, 43, MEMBERS.largest()}) {
            String text = MEMBERS.encode(id);
            assertTrue(text.matches(MEMBERS.pattern()), text);
            assertEquals(id, MEMBERS.decode(text));
            assertEquals(id, MEMBERS.decodeForgiving(text.toLowerCase().replace("-", "")));
            assertNotEquals(FORMAT.format(id), text);
        }
        assertEquals(FORMAT, MEMBERS.format());
        assertEquals("member", MEMBERS.name());
        assertEquals("ScrambledNumbers[name=member, format=M-{number:8}-{check:damm}]", MEMBERS.toString());
    }

    @Test
    void aLongFormatIsWrittenWhole() {
        IdFormat wordy = IdFormat.of("M".repeat(120) + "{number:8}{check:damm}");
        ScrambledNumbers long120 = ScrambledNumbers.of("member", IdKeys.of(OLD), wordy);
        assertEquals(129, long120.encode(42).length());
        assertEquals(42, long120.decode(long120.encode(42)));
    }

    @Test
    void whatIsNotAnIdIsRefused() {
        assertThrows(InvalidIdException.class, () -> MEMBERS.encode(-1));
        assertThrows(IdSpaceExhaustedException.class, () -> MEMBERS.encode(MEMBERS.largest() + 1));
        assertThrows(
                InvalidIdException.class,
                () -> MEMBERS.decode(MEMBERS.encode(42).toLowerCase()));
        for (String wrong : new String[] {"", "M-1", "\ud83c", MEMBERS.encode(42) + "0"}) {
            assertThrows(InvalidIdException.class, () -> MEMBERS.decode(wrong), wrong);
            assertThrows(InvalidIdException.class, () -> MEMBERS.decodeForgiving(wrong), wrong);
        }
    }

    @Test
    void oneOfSeveralKeysIsNamed() {
        IdKeys both = IdKeys.of(NEW, OLD);
        assertEquals(
                MEMBERS.encode(42),
                ScrambledNumbers.of("member", both, FORMAT, 0).encode(42));
        assertNotEquals(
                MEMBERS.encode(42),
                ScrambledNumbers.of("member", both, FORMAT, 1).encode(42));
        assertThrows(InvalidConfigException.class, () -> ScrambledNumbers.of("member", both, FORMAT));
        assertThrows(InvalidConfigException.class, () -> ScrambledNumbers.of("member", both, FORMAT, 2));
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        IdKeys keys = IdKeys.of(OLD);
        assertNamed("name", () -> ScrambledNumbers.of(null, keys, FORMAT));
        assertNamed("keys", () -> ScrambledNumbers.of("member", null, FORMAT));
        assertNamed("format", () -> ScrambledNumbers.of("member", keys, null));
        assertNamed("text", () -> MEMBERS.decode(null));
        assertNamed("text", () -> MEMBERS.decodeForgiving(null));
    }

    private static void assertNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
