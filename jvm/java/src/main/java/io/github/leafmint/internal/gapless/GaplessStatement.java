package io.github.leafmint.internal.gapless;

import java.util.List;

/** A statement of a call, with a {@code ?} for each of its values. */
record GaplessStatement(String sql, List<Object> values, boolean hasRow) {
    /** Returns the statement with {@code $1}, {@code $2} and so on, as PostgreSQL writes them. */
    String numbered() {
        String[] parts = sql.split("\\?", -1);
        var text = new StringBuilder(parts[0]);
        for (int at = 1; at < parts.length; at++) {
            text.append('$').append(at).append(parts[at]);
        }
        return text.toString();
    }
}
