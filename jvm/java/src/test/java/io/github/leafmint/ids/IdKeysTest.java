package io.github.leafmint.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.JavaProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class IdKeysTest {
    private static final String SECRET = "6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";
    private static final String OLD = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    @Test
    void aKeyIsTheSameHoweverItIsSupplied(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys"), "# since november\nlmk1_" + SECRET + "\n");
        String text = PublicIds.of("order", IdKeys.of("lmk1_" + SECRET)).encode(42);
        for (IdKeys keys : List.of(
                IdKeys.parse("\n  lmk1_" + SECRET + " , " + OLD),
                IdKeys.ofBytes(1, HexFormat.of().parseHex(SECRET)),
                IdKeys.fromFile(file))) {
            assertEquals(text, PublicIds.of("order", keys).encode(42));
        }
    }

    @Test
    void theEnvironmentSuppliesKeys() throws Exception {
        var command = new ArrayList<>(List.of("env", "KEYS=lmk1_" + SECRET, JavaProcess.java()));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FromEnvironment.class.getName()));
        var java = JavaProcess.execute(command);
        assertEquals(PublicIds.of("order", IdKeys.of("lmk1_" + SECRET)).encode(42) + "\n", java.output());
    }

    static final class FromEnvironment {
        public static void main(String[] arguments) {
            System.out.println(
                    PublicIds.of("order", IdKeys.fromEnvironment("KEYS")).encode(42));
        }
    }

    @Test
    void keysShowTheirNumbersAlone() {
        IdKeys keys = IdKeys.of("lmk1_" + SECRET, OLD);
        assertEquals(List.of(1, 0), keys.numbers());
        assertEquals("IdKeys[1, 0]", keys.toString());
    }

    /** The one of the old key is in core/ids/src/public_id/keys.rs too. */
    @Test
    void fingerprintsAreInTheOrderOfTheKeysAndRevealNothing() {
        Map<Integer, String> fingerprints = IdKeys.of("lmk1_" + SECRET, OLD).fingerprints();
        assertEquals(List.of(1, 0), List.copyOf(fingerprints.keySet()));
        assertEquals("0173b469", fingerprints.get(0));
        assertTrue(fingerprints.get(1).matches("[0-9a-f]{8}"));
        assertFalse(SECRET.contains(fingerprints.get(1)));
    }

    @Test
    void aNewKeyIsRandomAndValid() {
        String text = IdKeys.generate(3);
        assertEquals(List.of(3), IdKeys.of(text).numbers());
        assertFalse(text.equals(IdKeys.generate(3)));
        assertThrows(InvalidArgumentException.class, () -> IdKeys.generate(4));
        assertThrows(InvalidArgumentException.class, () -> IdKeys.generate(-1));
    }

    @Test
    void wrongKeysAreRefusedWithEveryProblemAndNoPartOfAKey() {
        for (Executable wrong : List.<Executable>of(
                () -> IdKeys.of(
                        "lmk1_" + SECRET, "lmk1_" + SECRET, "lmk7_" + SECRET, SECRET, "lmk2_" + SECRET + "\ud83c"),
                () -> IdKeys.of(SECRET),
                () -> IdKeys.parse("lmk1_" + SECRET.substring(2)),
                () -> IdKeys.ofBytes(4, HexFormat.of().parseHex(SECRET)))) {
            var failure = assertThrows(InvalidConfigException.class, wrong);
            for (int at = 0; at + 6 < SECRET.length(); at++) {
                assertFalse(trace(failure).contains(SECRET.substring(at, at + 6)), failure.getMessage());
            }
        }
        var failure = assertThrows(InvalidConfigException.class, () -> IdKeys.of("lmk1_00", "lmk9_" + SECRET));
        assertTrue(
                failure.getMessage().contains("key 1") && failure.getMessage().contains("key 2"));
    }

    private static String trace(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void missingKeysAreRefused() {
        assertThrows(InvalidConfigException.class, IdKeys::of);
        assertThrows(InvalidConfigException.class, () -> IdKeys.parse(""));
        assertThrows(InvalidConfigException.class, () -> IdKeys.fromEnvironment("LEAFMINT_NO_SUCH_VARIABLE"));
        var failure = assertThrows(InvalidConfigException.class, () -> IdKeys.fromFile(Path.of("/no/such/file")));
        assertTrue(failure.getMessage().contains("/no/such/file"), failure.getMessage());
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        assertNamed("texts", () -> IdKeys.of((String[]) null));
        assertNamed("texts", () -> IdKeys.of("lmk1_" + SECRET, null));
        assertNamed("text", () -> IdKeys.parse(null));
        assertNamed("secret", () -> IdKeys.ofBytes(1, null));
        assertNamed("path", () -> IdKeys.fromFile(null));
        assertNamed("variable", () -> IdKeys.fromEnvironment(null));
    }

    private static void assertNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
