package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.natives.RecordReader;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Writes and parses numbers that people read. A format consists of literals, and of fields in braces.
 *
 * <p>The fields are <code>{number}</code> (also <code>{number:6}</code>, <code>{number:base32:8}</code> and <code>
 * {number:base36:8}</code>), <code>{year}</code>, <code>{yy}</code>, <code>{month}</code>, <code>{day}</code>, <code>
 * {key}</code>, <code>{shard:4}</code>, and at the end <code>{check:damm}</code>, <code>{check:mod37_36}</code>, <code>
 * {check:luhn}</code> or <code>{check:mod97_10}</code>. Doubled braces are braces. A text depends on nothing but its
 * parts, never on a clock. A format needs no connection and can be used from any thread.
 *
 * <pre>{@code
 * IdFormat invoices = IdFormat.of("INV-{yy}{month}{day}-{number:6}-{check:damm}");
 * String invoice = invoices.format(NumberParts.of(42).on(LocalDate.of(2026, 11, 25))); // INV-261125-000042-6
 * long number = invoices.parseForgiving("inv261125-OOO0426").number(); // 42
 * }</pre>
 */
public final class IdFormat {
    private final Handle handle;
    private final String text;

    /** Most bytes of a text, without those of the key. */
    private final int mostBytes;

    private final long largest;

    private IdFormat(long handle, String text) {
        this.handle = new Handle(handle, Native::formatFree);
        mostBytes = (int) Native.formatMostBytes(handle);
        largest = Native.formatLargest(handle);
        this.text = text;
    }

    /**
     * Returns a format.
     *
     * @param text the literals and fields
     * @return the format
     * @throws InvalidConfigException if the format is invalid or its texts could be read in two ways, with every
     *     problem found
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public static IdFormat of(String text) {
        requireNonNull(text, "text");
        NativeLibrary.require();
        Text.name("the format", text);
        return new IdFormat(Native.formatOf(text), text);
    }

    /**
     * Returns the format's own text.
     *
     * @return the literals and fields
     */
    public String text() {
        handle();
        return text;
    }

    /**
     * Returns the largest number that fits.
     *
     * @return the number, such as 9,999 of <code>{number:4}</code>; 2^63 - 1 if the number has no width
     */
    public long largest() {
        handle();
        return largest;
    }

    /**
     * Writes a number that has no other parts.
     *
     * @param number the number, not negative
     * @return its text
     * @throws IdSpaceExhaustedException if the number does not fit its width
     * @throws InvalidArgumentException if the number is negative, or the format has a date, a key or a shard
     */
    public String format(long number) {
        return format(NumberParts.of(number));
    }

    /**
     * Writes a number.
     *
     * @param parts the number, and what else the format has
     * @return its text
     * @throws IdSpaceExhaustedException if the number does not fit its width
     * @throws InvalidArgumentException if the number is negative, or if another part does not fit, is missing, or is
     *     given although the format has no field of it
     */
    public String format(NumberParts parts) {
        LocalDate date = requireNonNull(parts, "parts").date();
        String key = parts.key();
        Long shard = parts.shard();
        byte[] keyBytes = key == null ? null : Text.name("the key", key).getBytes(StandardCharsets.UTF_8);
        byte[] written = new byte[mostBytes + (keyBytes == null ? 0 : keyBytes.length)];
        try {
            long length = Native.formatFormat(
                    handle(),
                    parts.number(),
                    date != null,
                    date == null ? 0 : date.getYear(),
                    date == null ? 0 : date.getMonthValue(),
                    date == null ? 0 : date.getDayOfMonth(),
                    keyBytes,
                    shard != null,
                    shard == null ? 0 : shard,
                    written);
            return new String(written, 0, (int) length, StandardCharsets.UTF_8);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Parses a number strictly: it accepts only what {@link #format(NumberParts)} returns.
     *
     * @param text a number of this format
     * @return its parts; of a date, what the format does not have is 1
     * @throws InvalidIdException if {@code text} is not a number of this format; the message names the field, its text
     *     and what was expected
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public NumberParts parse(String text) {
        return parse(text, false);
    }

    /**
     * Parses a number that a person wrote. It also accepts small letters, hyphens left out or added between fields, O
     * for 0, and I and L for 1 in digits and in base 32. A key is taken as it is written.
     *
     * @param text a number of this format
     * @return its parts; of a date, what the format does not have is 1
     * @throws InvalidIdException if {@code text} is not a number of this format
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public NumberParts parseForgiving(String text) {
        return parse(text, true);
    }

    private NumberParts parse(String text, boolean forgiving) {
        Text.name("the number", requireNonNull(text, "text"));
        try {
            return RecordReader.numberParts(Native.formatParse(handle(), text, forgiving));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns true if the other object is a format with the same text.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public boolean equals(Object other) {
        handle();
        return other instanceof IdFormat format && text.equals(format.text());
    }

    /**
     * Returns the hash code of the text.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /**
     * Returns the format's own text.
     *
     * @return {@link #text()}
     */
    @Override
    public String toString() {
        return text();
    }

    /** Returns the native format, which is valid as long as this object is reachable. */
    long handle() {
        return Handle.valueOf(handle, this);
    }
}
