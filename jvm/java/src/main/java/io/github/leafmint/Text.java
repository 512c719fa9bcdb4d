package io.github.leafmint;

import java.util.function.Function;

/** Checks texts on their way to the core, which knows whole code points only. */
final class Text {
    private Text() {}

    static String checked(String what, String text, Function<String, LeafmintException> failure) {
        boolean broken = text.codePoints().anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        if (broken) {
            throw failure.apply(what + " holds half of a surrogate pair, which is no character");
        }
        return text;
    }
}
