package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PublicKeysTest {
    private static final String SECRET = "6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";
    private static final String OLD = "0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    @Test
    void aKeyIsTheSameHoweverItIsSupplied(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys"), "# since November\n1:" + SECRET + "\n");
        String text = PublicIds.of("order", PublicKeys.of("1:" + SECRET)).encode(42);
        for (PublicKeys keys : List.of(
                PublicKeys.parse("\n  1:" + SECRET + " , " + OLD),
                PublicKeys.ofBytes(1, HexFormat.of().parseHex(SECRET)),
                PublicKeys.fromFile(file))) {
            assertEquals(text, PublicIds.of("order", keys).encode(42));
        }
    }

    @Test
    void theEnvironmentSuppliesKeys() throws Exception {
        var command = new ArrayList<>(List.of("env", "KEYS=1:" + SECRET, JavaProcess.java()));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FromEnvironment.class.getName()));
        var java = JavaProcess.execute(command);
        assertEquals(PublicIds.of("order", PublicKeys.of("1:" + SECRET)).encode(42) + "\n", java.output());
    }

    static final class FromEnvironment {
        public static void main(String[] arguments) {
            System.out.println(
                    PublicIds.of("order", PublicKeys.fromEnvironment("KEYS")).encode(42));
        }
    }

    @Test
    void keysShowTheirNumbersAlone() {
        PublicKeys keys = PublicKeys.of("1:" + SECRET, OLD);
        assertEquals(List.of(1, 0), keys.numbers());
        assertEquals("PublicKeys[1, 0]", keys.toString());
    }

    @Test
    void aNewKeyIsRandomAndValid() {
        String text = PublicKeys.generate(3);
        assertEquals(List.of(3), PublicKeys.of(text).numbers());
        assertFalse(text.equals(PublicKeys.generate(3)));
        assertThrows(InvalidArgumentException.class, () -> PublicKeys.generate(4));
        assertThrows(InvalidArgumentException.class, () -> PublicKeys.generate(-1));
    }

    @Test
    void wrongKeysAreRefusedWithEveryProblemAndNoPartOfAKey() {
        for (Executable wrong : List.<Executable>of(
                () -> PublicKeys.of("1:" + SECRET, "1:" + SECRET, "7:" + SECRET, SECRET, "2:" + SECRET + "\ud83c"),
                () -> PublicKeys.of(SECRET),
                () -> PublicKeys.parse("1:" + SECRET.substring(2)),
                () -> PublicKeys.ofBytes(4, HexFormat.of().parseHex(SECRET)))) {
            var failure = assertThrows(InvalidConfigException.class, wrong);
            for (int at = 0; at + 6 < SECRET.length(); at++) {
                assertFalse(trace(failure).contains(SECRET.substring(at, at + 6)), failure.getMessage());
            }
        }
        var failure = assertThrows(InvalidConfigException.class, () -> PublicKeys.of("1:00", "9:" + SECRET));
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
        assertThrows(InvalidConfigException.class, PublicKeys::of);
        assertThrows(InvalidConfigException.class, () -> PublicKeys.parse(""));
        assertThrows(InvalidConfigException.class, () -> PublicKeys.fromEnvironment("LEAFMINT_NO_SUCH_VARIABLE"));
        var failure = assertThrows(InvalidConfigException.class, () -> PublicKeys.fromFile(Path.of("/no/such/file")));
        assertTrue(failure.getMessage().contains("/no/such/file"), failure.getMessage());
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        assertNamed("texts", () -> PublicKeys.of((String[]) null));
        assertNamed("texts", () -> PublicKeys.of("1:" + SECRET, null));
        assertNamed("text", () -> PublicKeys.parse(null));
        assertNamed("secret", () -> PublicKeys.ofBytes(1, null));
        assertNamed("path", () -> PublicKeys.fromFile(null));
        assertNamed("variable", () -> PublicKeys.fromEnvironment(null));
    }

    private static void assertNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
