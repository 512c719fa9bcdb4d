package io.github.leafmint.spring.boot.actuate;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.util.ReflectionUtils;

/** The results of the API as the status document has them, with the names and types of Python's. */
final class StatusRecords {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** Numbers that may pass 2^53, which JavaScript rounds. */
    private static final Set<String> LARGE =
            Set.of("issued", "leased", "unused", "given_back", "highest_leased", "numbers_left", "max_id");

    /** There are thousands of tags, and a handful of interfaces. */
    private static final Map<Class<?>, List<Value>> VALUES = new ConcurrentHashMap<>();

    private StatusRecords() {}

    /** A value of an interface of the API, by its name in Python. */
    private record Value(String name, Method method) {
        static Value of(Method method) {
            return new Value(method.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT), method);
        }
    }

    /** Returns every value of an interface of the API by its name in Python. */
    static <T> Map<String, Object> of(Class<T> type, T result) {
        var values = new LinkedHashMap<String, Object>();
        for (Value each : valuesOf(type)) {
            values.put(each.name(), json(each.name(), ReflectionUtils.invokeMethod(each.method(), result)));
        }
        return values;
    }

    /** Returns the names of the values, each with {@code null}. */
    static Map<String, Object> unknown(Class<?> type) {
        var values = new LinkedHashMap<String, Object>();
        valuesOf(type).forEach(each -> values.put(each.name(), null));
        return values;
    }

    private static List<Value> valuesOf(Class<?> type) {
        return VALUES.computeIfAbsent(type, read -> Arrays.stream(read.getDeclaredMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .filter(method -> !method.getName().equals("toString"))
                .map(Value::of)
                .sorted(Comparator.comparing(Value::name))
                .toList());
    }

    static String time(Instant time) {
        return TIME.format(time);
    }

    private static Object json(String name, Object value) {
        if (value instanceof Duration duration) {
            return LeafmintDescriptors.seconds(duration);
        }
        if (value instanceof Instant time) {
            return time(time);
        }
        if (value instanceof Enum<?> one) {
            return one.name().toLowerCase(Locale.ROOT);
        }
        boolean isText = value instanceof ZoneId || value instanceof BigInteger || LARGE.contains(name);
        return value != null && isText ? value.toString() : value;
    }
}
