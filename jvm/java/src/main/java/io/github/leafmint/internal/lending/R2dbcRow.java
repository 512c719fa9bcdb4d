package io.github.leafmint.internal.lending;

import io.r2dbc.spi.Row;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a row of R2DBC, which is only valid while it is passed. */
public final class R2dbcRow {
    private R2dbcRow() {}

    /** Returns the columns as text. */
    public static @Nullable String[] texts(Row row) {
        @Nullable
        String[] texts = new String[row.getMetadata().getColumnMetadatas().size()];
        for (int column = 0; column < texts.length; column++) {
            texts[column] = text(row.get(column));
        }
        return texts;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (value instanceof ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString();
        }
        return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }
}
