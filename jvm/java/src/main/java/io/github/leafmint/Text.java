package io.github.leafmint;

import java.util.function.Function;
import java.util.regex.Pattern;

/** Checks texts on their way to the core, which knows whole code points only. */
final class Text {
    /** No text of ours is longer, but for keys. */
    private static final int MOST = 1 << 20;

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069\\u200e\\u200f]");

    private Text() {}

    /**
     * Does what {@link #checked} does, for a text that names something. A very long one is refused before it is looked
     * at.
     */
    static String name(String what, String text, Function<String, LeafmintException> failure) {
        if (text.length() > MOST) {
            throw failure.apply(what + " has " + text.length() + " characters; at most " + MOST + " are read");
        }
        return checked(what, text, failure);
    }

    /**
     * Escapes control characters and the marks that turn the direction of text around, as the core does in its
     * messages.
     */
    static String printable(String text) {
        return UNPRINTABLE
                .matcher(text)
                .replaceAll(found -> String.format("\\\\u{%x}", found.group().codePointAt(0)));
    }

    static String checked(String what, String text, Function<String, LeafmintException> failure) {
        boolean broken = text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        if (broken) {
            throw failure.apply(what + " holds half of a surrogate pair, which is no character");
        }
        return text;
    }
}
