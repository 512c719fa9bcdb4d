package io.github.leafmint.ids;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.leafmint.IdFormat;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.Vectors;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** What all languages write and refuse alike, with the same messages. */
@Timeout(60)
class PublicIdVectorsTest {
    @BeforeAll
    static void load() {
        NativeLibrary.require();
    }

    private static List<JsonObject> cases(String list) throws IOException {
        return Vectors.cases("public_ids.json", list);
    }

    private static String text(JsonObject of, String name) {
        return of.get(name).getAsString();
    }

    private static @Nullable String optional(JsonObject of, String name) {
        JsonElement value = of.get(name);
        return value.isJsonNull() ? null : value.getAsString();
    }

    private static PublicIds ids(JsonObject of) {
        return PublicIds.of(text(of, "name"), IdKeys.parse(text(of, "keys")), text(of, "prefix"));
    }

    private static ScrambledNumbers scrambled(JsonObject of) {
        IdKeys keys = IdKeys.parse(text(of, "keys"));
        IdFormat format = IdFormat.of(text(of, "format"));
        JsonElement number = of.get("key_number");
        return number.isJsonNull()
                ? ScrambledNumbers.of(text(of, "name"), keys, format)
                : ScrambledNumbers.of(text(of, "name"), keys, format, number.getAsInt());
    }

    private static long handle(JsonObject of) {
        JsonElement number = of.get("key_number");
        return Native.idTextOf(
                text(of, "form"),
                text(of, "name"),
                optional(of, "prefix"),
                optional(of, "format"),
                !number.isJsonNull(),
                number.isJsonNull() ? 0 : number.getAsLong());
    }

    private static void refused(JsonObject expected, Executable call) {
        var failure = assertThrows(LeafmintException.class, call, expected::toString);
        assertEquals(text(expected, "code"), failure.code(), expected::toString);
        assertEquals(text(expected, "message"), failure.getMessage());
    }

    @Test
    void publicIdsAreWrittenAndRead() throws Exception {
        for (JsonObject expected : cases("ids")) {
            PublicIds ids = ids(expected);
            long id = expected.get("id").getAsLong();
            String text = text(expected, "text");
            assertEquals(text, ids.encode(id));
            assertEquals(id, ids.decode(text));
            assertArrayEquals(new String[] {text}, ids.encodeAll(new long[] {id}));
            assertArrayEquals(new long[] {id}, ids.decodeAll(new String[] {text}));
        }
        for (JsonObject expected : cases("old_texts")) {
            long id = expected.get("id").getAsLong();
            String[] texts = {text(expected, "text"), text(expected, "new_text")};
            assertArrayEquals(new long[] {id, id}, ids(expected).decodeAll(texts));
            assertEquals(texts[1], ids(expected).encode(id));
        }
    }

    @Test
    void wrongPublicIdsAreRefused() throws Exception {
        for (JsonObject expected : cases("refused_texts")) {
            PublicIds ids = ids(expected);
            refused(expected, () -> ids.decode(text(expected, "text")));
        }
        for (JsonObject expected : cases("refused_ids")) {
            PublicIds ids = ids(expected);
            refused(expected, () -> ids.encode(expected.get("id").getAsLong()));
        }
        for (JsonObject expected : cases("invalid_names")) {
            refused(expected, () -> ids(expected));
        }
    }

    @Test
    void keysAreReadOrRefused() throws Exception {
        for (JsonObject expected : cases("keys")) {
            List<Integer> numbers = expected.getAsJsonArray("numbers").asList().stream()
                    .map(JsonElement::getAsInt)
                    .toList();
            assertEquals(numbers, IdKeys.parse(text(expected, "keys")).numbers());
        }
        for (JsonObject expected : cases("invalid_keys")) {
            refused(expected, () -> IdKeys.parse(text(expected, "keys")));
        }
    }

    @Test
    void scrambledNumbersAreWrittenAndRead() throws Exception {
        for (JsonObject expected : cases("scrambled")) {
            ScrambledNumbers scrambled = scrambled(expected);
            long id = expected.get("id").getAsLong();
            assertEquals(text(expected, "text"), scrambled.encode(id));
            assertEquals(id, scrambled.decode(text(expected, "text")));
        }
        for (JsonObject expected : cases("forgiven")) {
            assertEquals(expected.get("id").getAsLong(), scrambled(expected).decodeForgiving(text(expected, "text")));
        }
    }

    @Test
    void wrongScrambledNumbersAreRefused() throws Exception {
        for (JsonObject expected : cases("refused_scrambled_texts")) {
            ScrambledNumbers scrambled = scrambled(expected);
            refused(expected, () -> scrambled.decode(text(expected, "text")));
        }
        for (JsonObject expected : cases("refused_scrambled_ids")) {
            ScrambledNumbers scrambled = scrambled(expected);
            refused(expected, () -> scrambled.encode(expected.get("id").getAsLong()));
        }
        for (JsonObject expected : cases("invalid_scrambled")) {
            refused(expected, () -> scrambled(expected));
        }
    }

    @Test
    void declarationsAreDescribedOrRefused() throws Exception {
        for (JsonObject expected : cases("texts")) {
            long handle = handle(expected);
            assertEquals(text(expected, "pattern"), Native.idTextPattern(handle));
            assertEquals(text(expected, "example"), Native.idTextExample(handle));
            assertEquals(expected.get("needs_keys").getAsBoolean(), Native.idTextNeedsKeys(handle) == 1);
            Native.idTextFree(handle);
        }
        for (JsonObject expected : cases("invalid_texts")) {
            refused(expected, () -> handle(expected));
        }
    }
}
