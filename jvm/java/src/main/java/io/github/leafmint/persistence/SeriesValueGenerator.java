package io.github.leafmint.persistence;

import io.github.leafmint.Series;
import java.util.function.Supplier;

/**
 * The generator behind {@link SeriesValue}. Hibernate creates it.
 *
 * <pre>{@code
 * @SeriesValue("invoice")
 * private String invoice;
 * }</pre>
 */
public final class SeriesValueGenerator extends MintedIdGenerator<SeriesValue> {
    private static final long serialVersionUID = 1L;

    /** Creates a generator without a series. */
    public SeriesValueGenerator() {}

    @Override
    Supplier<Supplier<Object>> find(SeriesValue annotation, Minted property, IdGenerators generators) {
        property.conversion().requireText(annotation, property.name());
        return () -> {
            Series series = generators.series(annotation.value());
            return () -> series.next().text();
        };
    }
}
