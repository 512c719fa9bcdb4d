package io.github.leafmint.spring.boot.actuate;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/**
 * Writes a document of maps, lists, strings and numbers as JSON. The mappers of Spring Boot's endpoints leave out what
 * is {@code null}, and each generation has another Jackson.
 */
final class StatusJson {
    private final StringBuilder text = new StringBuilder();

    private StatusJson() {}

    static byte[] of(Map<String, ?> document) {
        var json = new StatusJson();
        json.write(document);
        return json.text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void write(Object value) {
        if (value instanceof Map<?, ?> map) {
            writeMap(map);
        } else if (value instanceof Iterable<?> list) {
            writeList(list);
        } else if (value instanceof String string) {
            writeString(string);
        } else {
            text.append(value);
        }
    }

    private void writeMap(Map<?, ?> map) {
        String before = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before);
            writeString((String) entry.getKey());
            text.append(':');
            write(entry.getValue());
            before = ",";
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private void writeList(Iterable<?> list) {
        text.append('[');
        String before = "";
        for (Object each : list) {
            text.append(before);
            write(each);
            before = ",";
        }
        text.append(']');
    }

    /** Escapes more than JSON asks for, so that the document can be put into a page. */
    private void writeString(String string) {
        text.append('"');
        string.chars().forEach(unit -> {
            if (unit < ' ' || unit == '"' || unit == '\\' || unit == '<' || unit > '~') {
                text.append("\\u").append(HexFormat.of().toHexDigits((char) unit));
            } else {
                text.append((char) unit);
            }
        });
        text.append('"');
    }
}
