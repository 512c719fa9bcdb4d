package io.github.leafmint.ids;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes ids as texts for strangers, such as {@code order_4hq0q7ybr0e1v6wdnt9z2x8mk3}, and reads them back.
 *
 * <p>A text hides the id, how many there are, and their order and time, from everyone without the key. A text that was
 * not written with one of the keys, for this name and prefix, is refused, all but one in 2<sup>65</sup>. It is neither
 * a password nor a permission. The same id has the same text for as long as the first key is the same: store ids as
 * numbers, never their texts. It can be used from any thread.
 *
 * <pre>{@code
 * PublicIds orders = PublicIds.of("order", IdKeys.fromEnvironment("LEAFMINT_ID_KEYS"));
 * String text = orders.encode(42);
 * long id = orders.decode(text);
 * }</pre>
 */
public final class PublicIds {
    private final Handle handle;
    private final String name;
    private final String prefix;

    /** Number of characters of each text. */
    private final int length;

    private PublicIds(long handle, String name, String prefix) {
        this.handle = new Handle(handle, Native::publicIdsFree);
        this.name = name;
        this.prefix = prefix;
        length = (int) Native.publicIdsLength(handle);
    }

    /**
     * Returns the public ids of a name, which is also their prefix.
     *
     * @param name 1 to 63 small letters, digits and underscores, a letter first and no underscore last
     * @param keys the keys
     * @return the public ids
     * @throws InvalidConfigException if the name is invalid
     */
    public static PublicIds of(String name, IdKeys keys) {
        return of(name, keys, name);
    }

    /**
     * Returns the public ids of a name, with another prefix. Ids of different names have nothing in common, because the
     * keys are derived for the name.
     *
     * @param name 1 to 63 small letters, digits and underscores, a letter first and no underscore last
     * @param keys the keys
     * @param prefix the prefix, without the underscore after it; the rules for names apply
     * @return the public ids
     * @throws InvalidConfigException if the name or the prefix is invalid
     */
    public static PublicIds of(String name, IdKeys keys, String prefix) {
        requireNonNull(name, "name");
        requireNonNull(keys, "keys");
        requireNonNull(prefix, "prefix");
        Text.nameInConfig("the name of public ids", name);
        Text.nameInConfig("the prefix of public ids", prefix);
        try {
            return new PublicIds(Native.publicIdsOf(name, keys.handle(), prefix), name, prefix);
        } finally {
            Reference.reachabilityFence(keys);
        }
    }

    /**
     * Returns the name, for which the keys were derived.
     *
     * @return the name
     */
    public String name() {
        handle();
        return name;
    }

    /**
     * Returns the prefix.
     *
     * @return the prefix, without the underscore after it
     */
    public String prefix() {
        handle();
        return prefix;
    }

    /**
     * Returns a regular expression that matches each text, and few others, as JSON Schema has it.
     *
     * @return the regular expression
     */
    public String pattern() {
        try {
            return Native.publicIdsPattern(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Writes an id.
     *
     * @param id the id, not negative
     * @return its text
     * @throws InvalidIdException if the id is negative
     */
    public String encode(long id) {
        byte[] written = new byte[length];
        try {
            Native.publicIdsEncode(handle(), id, written);
            return new String(written, StandardCharsets.ISO_8859_1);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Reads an id.
     *
     * @param text the text of an id
     * @return the id
     * @throws InvalidIdException if the text was not written with one of the keys, for this name and prefix; the
     *     message does not say what is wrong with it, and the time does not show it
     */
    public long decode(String text) {
        // An unpaired surrogate becomes a question mark, which no text has.
        byte[] given = requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8);
        try {
            return Native.publicIdsDecode(handle(), given);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Writes ids in one call.
     *
     * @param ids the ids, none negative
     * @return their texts, in the same order
     * @throws InvalidIdException if one is negative; the message has its place
     * @throws InvalidArgumentException if the texts would have more than 2<sup>31</sup> - 9 characters
     */
    public String[] encodeAll(long[] ids) {
        requireNonNull(ids, "ids");
        byte[] column = column(ids.length);
        try {
            Native.publicIdsEncodeAll(handle(), ids, column);
        } finally {
            Reference.reachabilityFence(this);
        }
        var texts = new String[ids.length];
        for (int at = 0; at < texts.length; at++) {
            texts[at] = new String(column, at * length, length, StandardCharsets.ISO_8859_1);
        }
        return texts;
    }

    /**
     * Reads ids in one call.
     *
     * @param texts the texts of ids
     * @return the ids, in the same order
     * @throws InvalidIdException if one is refused, as {@link #decode} refuses it; the message has the first such place
     * @throws InvalidArgumentException if the texts have more than 2<sup>31</sup> - 9 characters
     */
    public long[] decodeAll(String[] texts) {
        requireNonNull(texts, "texts");
        byte[] column = column(texts.length);
        for (int at = 0; at < texts.length; at++) {
            byte[] given = requireNonNull(texts[at], "texts").getBytes(StandardCharsets.UTF_8);
            if (given.length != length) {
                decodeColumn(Arrays.copyOf(column, at * length), at);
                throw refused(at, texts[at]);
            }
            System.arraycopy(given, 0, column, at * length, length);
        }
        return decodeColumn(column, texts.length);
    }

    private byte[] column(int texts) {
        handle();
        long bytes = (long) texts * length;
        int most = Integer.MAX_VALUE - 8; // the longest array of a JVM
        if (bytes > most) {
            throw new InvalidArgumentException(
                    "the number of ids " + texts + " is out of range (0 to " + most / length + ")");
        }
        return new byte[(int) bytes];
    }

    private long[] decodeColumn(byte[] column, int texts) {
        long[] ids = new long[texts];
        try {
            Native.publicIdsDecodeAll(handle(), column, ids);
        } finally {
            Reference.reachabilityFence(this);
        }
        return ids;
    }

    /** Returns the exception of a text that has another length, with its place as the core writes it. */
    private InvalidIdException refused(int place, String text) {
        try {
            decode(text);
        } catch (InvalidIdException refused) {
            return new InvalidIdException("ids[" + place + "]: " + refused.getMessage());
        }
        throw new IllegalStateException("a text of another length was read");
    }

    /**
     * Returns the name and the prefix.
     *
     * @return such as {@code PublicIds[name=order, prefix=order]}
     */
    @Override
    public String toString() {
        return "PublicIds[name=" + name() + ", prefix=" + prefix + "]";
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
