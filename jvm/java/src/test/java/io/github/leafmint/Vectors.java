package io.github.leafmint;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that the tests of all languages read. */
final class Vectors {
    private Vectors() {}

    static JsonElement read(String name) throws IOException {
        return JsonParser.parseString(Files.readString(top().resolve("tests/vectors").resolve(name)));
    }

    static Path top() {
        Path start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("Cargo.lock"))) {
                return at;
            }
        }
        throw new AssertionError("no Cargo.lock in or above " + start);
    }
}
