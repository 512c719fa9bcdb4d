package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.Series;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.persistence.IdConversion;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of the values of one annotated property.
 *
 * <pre>{@code
 * if (values.isUnset(order.getId())) {
 *     order.setId((Long) values.next());
 * }
 * }</pre>
 */
public final class ValueSource {
    private final IdConversion conversion;
    private final Supplier<Object> now;
    private final Supplier<CompletableFuture<Object>> later;

    private ValueSource(IdConversion conversion, Supplier<Object> now, Supplier<CompletableFuture<Object>> later) {
        this.conversion = conversion;
        this.now = now;
        this.later = later;
    }

    static ValueSource of(IdSource ids, IdConversion conversion) {
        return new ValueSource(conversion, () -> conversion.convert(ids.now().getAsLong()), () -> ids.later()
                .nextIdAsync()
                .thenApply(conversion::convert));
    }

    static ValueSource of(Series series, IdConversion conversion) {
        return new ValueSource(
                conversion, () -> series.next().text(), () -> series.nextAsync().thenApply(SeriesNumber::text));
    }

    /**
     * Returns whether a property has no value yet.
     *
     * @param value the value of the property
     * @return true for {@code null}, and for 0 in a {@code long} or {@code int}
     */
    public boolean isUnset(@Nullable Object value) {
        return conversion.isUnset(value);
    }

    /**
     * Mints a value, and waits if none is in hand.
     *
     * @return the value for the property
     */
    public Object next() {
        return now.get();
    }

    /**
     * Mints a value without waiting.
     *
     * @return a future of the value for the property
     */
    public CompletableFuture<Object> nextAsync() {
        return later.get();
    }
}
