package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.function.Executable;

/** Reads the test vectors that all languages share. */
public final class Vectors {
    private Vectors() {}

    static JsonElement read(String name) throws IOException {
        return JsonParser.parseString(
                Files.readString(top().resolve("tests/vectors").resolve(name)));
    }

    public static List<JsonObject> cases(String name, String list) throws IOException {
        List<JsonObject> cases = read(name).getAsJsonObject().getAsJsonArray(list).asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
        assertFalse(cases.isEmpty(), list);
        return cases;
    }

    /** Makes a call that must fail with the code and the words of the case. */
    public static void refused(JsonObject expected, Executable call) {
        var failure = assertThrows(LeafmintException.class, call, expected::toString);
        assertEquals(expected.get("code").getAsString(), failure.code(), expected::toString);
        if (expected.has("mentions")) {
            for (JsonElement mention : expected.getAsJsonArray("mentions")) {
                assertTrue(failure.getMessage().contains(mention.getAsString()), failure::getMessage);
            }
        }
    }

    /** Returns the folder of the repository, or of what the tests of the published JAR have of it. */
    public static Path top() {
        Path start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("Cargo.lock"))) {
                return at;
            }
        }
        throw new AssertionError("no Cargo.lock in or above " + start);
    }

    static String camelCase(String name) {
        return Pattern.compile("_(.)").matcher(name).replaceAll(match -> match.group(1)
                .toUpperCase());
    }
}
