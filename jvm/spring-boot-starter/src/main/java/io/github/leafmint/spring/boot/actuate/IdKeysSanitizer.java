package io.github.leafmint.spring.boot.actuate;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/**
 * Keeps the keys of public ids out of the endpoints, also if they show values. It knows them by the name of the
 * property, in any spelling, and by their form, as in the arguments of the process.
 */
class IdKeysSanitizer implements SanitizingFunction {
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-z]");
    private static final Pattern NAME = Pattern.compile("leafmintidkeys");
    private static final Pattern KEY = Pattern.compile("(?i)lmk[0-3]_[0-9a-f]{64}");

    @Override
    public SanitizableData apply(SanitizableData data) {
        return isNamed(data.getKey()) || isKey(data.getValue()) ? data.withSanitizedValue() : data;
    }

    private static boolean isNamed(String name) {
        String letters = NOT_IN_NAMES.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
        return NAME.matcher(letters).matches();
    }

    private static boolean isKey(Object value) {
        return value != null && KEY.matcher(value.toString()).find();
    }
}
