package io.github.leafmint.ids;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * One to four secret keys of public ids. The first one encodes; all decode.
 *
 * <p>A key's text is {@code lmk}, its number, an underscore and 32 to 64 random bytes in hexadecimal, as
 * {@link #generate} and {@code leafmint id-keys new} make it. The number is part of each id's text, so a key keeps its
 * number for as long as such texts exist. To replace a key, give every service a new one with another number behind the
 * old one, then move it to the front everywhere; remove the old one when no text of it is left.
 *
 * <p>The keys are held outside the JVM's heap and cleared once this object is unreachable. No message contains a part
 * of one. A {@code String} that the application passed stays on the heap until it is collected; {@link #fromFile} and
 * {@link #fromEnvironment} make none.
 *
 * <pre>{@code
 * IdKeys keys = IdKeys.fromFile(Path.of("/run/secrets/public-ids"));
 * PublicIds orders = PublicIds.of("order", keys);
 * }</pre>
 */
public final class IdKeys {
    private final Handle handle;

    private IdKeys(long handle) {
        this.handle = new Handle(handle, Native::idKeysFree);
    }

    /**
     * Reads the texts of keys, the one that encodes first.
     *
     * @param texts one to four texts of {@code lmk}, a number, an underscore and 64 to 128 hexadecimal digits
     * @return the keys
     * @throws InvalidConfigException if there is no key, if there are more than four, if two have the same number, or
     *     if one is invalid or not random, with every problem found
     */
    public static IdKeys of(String... texts) {
        for (String text : requireNonNull(texts, "texts")) {
            requireNonNull(text, "texts");
        }
        return read(texts);
    }

    /**
     * Reads the texts of keys, separated by white space or commas. A line that begins with {@code #} is a comment.
     *
     * @param text the keys, the one that encodes first
     * @return the keys
     * @throws InvalidConfigException as {@link #of} does
     */
    public static IdKeys parse(String text) {
        return read(requireNonNull(text, "text"));
    }

    /**
     * Makes one key. The caller may clear the array afterwards.
     *
     * @param number the number of the key, 0 to 3
     * @param secret 32 to 64 random bytes
     * @return the key
     * @throws InvalidConfigException if the number is out of range, or if the secret is too short, too long or not
     *     random
     */
    public static IdKeys ofBytes(int number, byte[] secret) {
        requireNonNull(secret, "secret");
        NativeLibrary.require();
        return new IdKeys(Native.idKeysOfBytes(number, secret));
    }

    /**
     * Reads the keys in a file, such as a mounted secret, as {@link #parse} does.
     *
     * @param path a file of at most 64 KiB
     * @return the keys
     * @throws InvalidConfigException as {@link #parse} does, also if the file cannot be read
     */
    public static IdKeys fromFile(Path path) {
        return new IdKeys(named("the path", requireNonNull(path, "path").toString(), Native::idKeysFromFile));
    }

    /**
     * Reads the keys in an environment variable, as {@link #parse} does.
     *
     * @param variable the name of the variable
     * @return the keys
     * @throws InvalidConfigException as {@link #parse} does, also if the variable is not set
     */
    public static IdKeys fromEnvironment(String variable) {
        requireNonNull(variable, "variable");
        return new IdKeys(named("the name of the variable", variable, Native::idKeysFromEnvironment));
    }

    /**
     * Returns the text of a new random key.
     *
     * @param number the number of the key, 0 to 3
     * @return a text for {@link #of}, to be stored as a secret
     * @throws InvalidArgumentException if the number is out of range
     */
    public static String generate(int number) {
        NativeLibrary.require();
        return Native.idKeysGenerate(number);
    }

    private static long named(String what, String name, ToLongFunction<String> open) {
        NativeLibrary.require();
        return open.applyAsLong(Text.nameInConfig(what, name));
    }

    /** Passes texts on as bytes, which are cleared: a native would make another copy of each {@code String}. */
    private static IdKeys read(String... texts) {
        NativeLibrary.require();
        int room = 0;
        for (String text : texts) {
            room = Math.addExact(room, Math.multiplyExact(text.length(), 3) + 1);
        }
        byte[] bytes = new byte[room];
        Arrays.fill(bytes, (byte) '\n');
        try {
            ByteBuffer written = ByteBuffer.wrap(bytes);
            // An unpaired surrogate becomes a question mark, which no key has.
            var encoder = StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPLACE);
            for (String text : texts) {
                encoder.reset().encode(CharBuffer.wrap(text), written, true);
                written.put((byte) '\n');
            }
            return new IdKeys(Native.idKeysParse(bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Returns the numbers of the keys, in their order.
     *
     * @return one to four numbers from 0 to 3
     */
    public List<Integer> numbers() {
        try {
            return Arrays.stream(Native.idKeysNumbers(handle()))
                    .mapToObj(number -> (int) number)
                    .toList();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the fingerprint of each key by its number, in their order. A fingerprint says nothing of the secret, so
     * logs and metrics may show it.
     *
     * @return eight hexadecimal digits for each number, which two keys share by chance only, once in 2^32
     */
    public Map<Integer, String> fingerprints() {
        try {
            String[] texts = Native.idKeysFingerprints(handle()).split(" ");
            var fingerprints = new LinkedHashMap<Integer, String>();
            for (int number : numbers()) {
                fingerprints.put(number, texts[fingerprints.size()]);
            }
            return Collections.unmodifiableMap(fingerprints);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the numbers of the keys, and nothing else of them.
     *
     * @return such as {@code IdKeys[1, 0]}
     */
    @Override
    public String toString() {
        return "IdKeys" + numbers();
    }

    /** Returns the native keys, which are valid as long as this object is reachable. */
    long handle() {
        return Handle.valueOf(handle, this);
    }
}
