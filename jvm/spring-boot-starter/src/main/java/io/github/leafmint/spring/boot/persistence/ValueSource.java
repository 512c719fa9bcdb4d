package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.IdSource;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.persistence.IdConversion;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The source of the values of one annotated property.
 *
 * <pre>{@code
 * if (IdConversion.isUnset(order.getId())) {
 *     order.setId((Long) values.next());
 * }
 * }</pre>
 */
public final class ValueSource {
    private final Supplier<Object> now;
    private final Supplier<CompletableFuture<Object>> later;

    private ValueSource(Supplier<Object> now, Supplier<CompletableFuture<Object>> later) {
        this.now = now;
        this.later = later;
    }

    static ValueSource of(IdSource ids, IdConversion conversion) {
        return new ValueSource(
                () -> conversion.convert(ids.nextId()), () -> ids.nextIdAsync().thenApply(conversion::convert));
    }

    static ValueSource of(Series series) {
        return new ValueSource(
                () -> series.next().text(), () -> series.nextAsync().thenApply(SeriesNumber::text));
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
