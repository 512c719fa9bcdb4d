package io.github.leafmint.internal.natives;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Typed options in the arrays that a native reads. */
public final class OptionValues {
    private static final long TEXT = 0;
    private static final long LIST = 1;
    private static final long COUNT = 2;
    private static final long BOOLEAN = 3;
    private static final long DURATION = 4;

    /** Of each option, its name and the texts of its value. */
    public final String[] texts;

    /** Of each option, its type and two parts of its value: the number of items, or seconds and nanoseconds. */
    public final long[] numbers;

    public OptionValues(Map<String, Object> values) {
        var allTexts = new ArrayList<String>();
        numbers = new long[3 * values.size()];
        int at = 0;
        for (Map.Entry<String, Object> option : values.entrySet()) {
            allTexts.add(Text.nameInConfig("an option", option.getKey()));
            write(option.getKey(), option.getValue(), at, allTexts);
            at += 3;
        }
        texts = allTexts.toArray(new String[0]);
    }

    private void write(String name, Object value, int at, List<String> allTexts) {
        if (value instanceof String text) {
            number(at, TEXT, 1, 0);
            allTexts.add(Text.nameInConfig("an option", text));
        } else if (value instanceof String[] items) {
            number(at, LIST, items.length, 0);
            for (String item : items) {
                allTexts.add(Text.nameInConfig("an item of " + name, item));
            }
        } else if (value instanceof Duration duration) {
            number(at, DURATION, duration.getSeconds(), duration.getNano());
        } else if (value instanceof Boolean flag) {
            number(at, BOOLEAN, flag ? 1 : 0, 0);
        } else {
            number(at, COUNT, (Long) value, 0);
        }
    }

    private void number(int at, long type, long first, long second) {
        numbers[at] = type;
        numbers[at + 1] = first;
        numbers[at + 2] = second;
    }

    /** Returns a value as one of the five types that are passed on. */
    public static Object simplified(String name, Object value) {
        if (value instanceof String || value instanceof Duration || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Enum<?> choice) {
            return choice.name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof Integer number) {
            return number.longValue();
        }
        if (value instanceof Instant time) {
            return Times.unixMillis(time);
        }
        if (value instanceof String[] items) {
            return simplified(name, Arrays.asList(items));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> requireNonNull(entry.getKey(), name) + "=" + requireNonNull(entry.getValue(), name))
                    .toArray(String[]::new);
        }
        if (value instanceof Collection<?> items) {
            return items.stream()
                    .map(item -> requireNonNull(item, name).toString())
                    .toArray(String[]::new);
        }
        throw new InvalidConfigException(
                name + ": a " + value.getClass().getSimpleName() + " cannot be used as a value");
    }
}
