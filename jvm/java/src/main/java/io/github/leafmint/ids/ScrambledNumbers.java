package io.github.leafmint.ids;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.IdFormat;
import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.TextBuffer;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/**
 * Writes ids as short numbers for people, such as the member number {@code M-48301577-3}, and reads them back.
 *
 * <p>The numbers of an {@link IdFormat} change places, by a secret order that depends on the key and the name. A number
 * hides how many there are, and their order and time. The check of the format finds what was mistyped.
 *
 * <p><strong>It can be guessed.</strong> Each number of the format, with its check, is read as an id: with a million
 * ids in use and eight digits, one guess in 100 hits one of them. Ask for something else too, and limit the attempts.
 * If there is room for 26 characters, take {@link PublicIds}, whose texts cannot be guessed.
 *
 * <pre>{@code
 * ScrambledNumbers members = ScrambledNumbers.of("member", keys, IdFormat.of("M-{number:8}-{check:damm}"));
 * String text = members.encode(42);
 * long id = members.decodeForgiving(text.toLowerCase());
 * }</pre>
 */
public final class ScrambledNumbers {
    private final Handle handle;
    private final String name;
    private final IdFormat format;

    private ScrambledNumbers(long handle, String name, IdFormat format) {
        this.handle = new Handle(handle, Native::scrambledFree);
        this.name = name;
        this.format = format;
    }

    /**
     * Returns the scrambled numbers of a name, with the only key. A text has no room for the number of a key, so one
     * key writes and reads all of them, for ever.
     *
     * @param name 1 to 63 small letters, digits and underscores, a letter first and no underscore last; numbers of
     *     different names have nothing in common
     * @param keys one key
     * @param format literals, a number of fixed width, with room for a million numbers or more, and a check
     * @return the scrambled numbers
     * @throws InvalidConfigException if the name or the format is invalid, or if there are several keys, with every
     *     problem found
     */
    public static ScrambledNumbers of(String name, IdKeys keys, IdFormat format) {
        return of(name, keys, false, 0, format);
    }

    /**
     * Returns the scrambled numbers of a name, with one of several keys.
     *
     * @param name as above
     * @param keys the keys
     * @param format as above
     * @param keyNumber the number of the key
     * @return the scrambled numbers
     * @throws InvalidConfigException as above, and if no key has the number
     */
    public static ScrambledNumbers of(String name, IdKeys keys, IdFormat format, int keyNumber) {
        return of(name, keys, true, keyNumber, format);
    }

    private static ScrambledNumbers of(String name, IdKeys keys, boolean hasKeyNumber, int keyNumber, IdFormat format) {
        Text.nameInConfig("the name of scrambled numbers", requireNonNull(name, "name"));
        long ring = requireNonNull(keys, "keys").handle();
        String shape = requireNonNull(format, "format").text();
        try {
            return new ScrambledNumbers(Native.scrambledOf(name, ring, hasKeyNumber, keyNumber, shape), name, format);
        } finally {
            Reference.reachabilityFence(keys);
        }
    }

    /**
     * Returns the name, for which the key was derived.
     *
     * @return the name
     */
    public String name() {
        handle();
        return name;
    }

    /**
     * Returns the format.
     *
     * @return the format
     */
    public IdFormat format() {
        handle();
        return format;
    }

    /**
     * Returns the largest id that the format has room for.
     *
     * @return the largest id
     */
    public long largest() {
        try {
            return Native.scrambledLargest(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns a regular expression that matches each text, and few others, as JSON Schema has it.
     *
     * @return the regular expression
     */
    public String pattern() {
        try {
            return Native.scrambledPattern(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Writes an id.
     *
     * @param id the id, from 0 to {@link #largest()}
     * @return its text
     * @throws InvalidIdException if the id is negative
     * @throws IdSpaceExhaustedException if the id is above the largest
     */
    public String encode(long id) {
        try {
            return TextBuffer.read(Native::scrambledEncode, handle(), id);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Reads an id. A text with the right check is always the number of some id: whether it is in use is for the caller
     * to find out.
     *
     * @param text the text of an id
     * @return the id
     * @throws InvalidIdException if the text is not of this format; the message says why
     */
    public long decode(String text) {
        return decode(text, false);
    }

    /**
     * Reads an id that a person wrote, as {@link IdFormat#parseForgiving} does.
     *
     * @param text the text of an id
     * @return the id
     * @throws InvalidIdException if the text is not of this format; the message says why
     */
    public long decodeForgiving(String text) {
        return decode(text, true);
    }

    private long decode(String text, boolean forgiving) {
        // An unpaired surrogate becomes a question mark, which is refused unless it is a literal of the format.
        byte[] given = requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8);
        try {
            return Native.scrambledDecode(handle(), given, forgiving);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the name and the format.
     *
     * @return such as {@code ScrambledNumbers[name=member, format=M-{number:8}-{check:damm}]}
     */
    @Override
    public String toString() {
        return "ScrambledNumbers[name=" + name() + ", format=" + format + "]";
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
