package io.github.leafmint;

import java.util.function.Function;
import java.util.regex.Pattern;

/** Checks texts before they are passed to the core, which only knows whole code points. */
final class Text {
    /** Longest name that is read, in characters; keys are not names and may be longer. */
    private static final int MOST = 1 << 20;

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069\\u200e\\u200f]");

    private Text() {}

    /** Checks a text that is a name, as {@link #checked} does. A very long one is refused without being read. */
    static String name(String what, String text, Function<String, LeafmintException> failure) {
        if (text.length() > MOST) {
            throw failure.apply(what + " has " + text.length() + " characters; at most " + MOST + " are read");
        }
        return checked(what, text, failure);
    }

    /** Returns {@code text} unless it has an unpaired surrogate. */
    static String checked(String what, String text, Function<String, LeafmintException> failure) {
        boolean broken = text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        if (broken) {
            throw failure.apply(what + " contains an unpaired surrogate, which is not a character");
        }
        return text;
    }

    /** Escapes control characters and marks that change the direction of text, as the core does in its messages. */
    static String printable(String text) {
        return UNPRINTABLE
                .matcher(text)
                .replaceAll(found -> String.format("\\\\u{%x}", found.group().codePointAt(0)));
    }
}
