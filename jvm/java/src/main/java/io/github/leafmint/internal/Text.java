package io.github.leafmint.internal;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks texts before they are passed to the core, which only knows whole code points. */
public final class Text {
    /** Longest name that is read, in characters; keys are not names and may be longer. */
    private static final int MOST = 1 << 20;

    private Text() {}

    /** Returns an argument that is a name if it is fit to be read. A very long one is refused without being read. */
    public static String name(String what, String text) {
        return argument(text, problemOfName(what, text));
    }

    /** Returns an argument unless it has an unpaired surrogate. */
    public static String checked(String what, String text) {
        return argument(text, problem(what, text));
    }

    /** Does what {@link #name} does for a text of the configuration. */
    public static String nameInConfig(String what, String text) {
        return config(text, problemOfName(what, text));
    }

    /** Does what {@link #checked} does for a text of the configuration. */
    public static String checkedInConfig(String what, String text) {
        return config(text, problem(what, text));
    }

    private static String argument(String text, @Nullable String problem) {
        if (problem != null) {
            throw new InvalidArgumentException(problem);
        }
        return text;
    }

    private static String config(String text, @Nullable String problem) {
        if (problem != null) {
            throw new InvalidConfigException(problem);
        }
        return text;
    }

    private static @Nullable String problemOfName(String what, String text) {
        return text.length() > MOST
                ? what + " has " + text.length() + " characters; at most " + MOST + " are read"
                : problem(what, text);
    }

    private static @Nullable String problem(String what, String text) {
        int length;
        for (int at = 0; at < text.length(); at += length) {
            int point = text.codePointAt(at);
            length = Character.charCount(point);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                return what + " contains an unpaired surrogate, which is not a character";
            }
        }
        return null;
    }

    /** Escapes control characters and marks that change the direction of text, as the core does in its messages. */
    public static String printable(String text) {
        return Unprintable.PATTERN
                .matcher(text)
                .replaceAll(found -> String.format("\\\\u{%x}", found.group().codePointAt(0)));
    }

    /** Loaded with the first message: regular expressions would cost the first id milliseconds. */
    private static final class Unprintable {
        static final Pattern PATTERN = Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069\\u200e\\u200f]");
    }
}
