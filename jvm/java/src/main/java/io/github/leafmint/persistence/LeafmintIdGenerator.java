package io.github.leafmint.persistence;

import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import java.util.function.Supplier;

/**
 * The generator behind {@link LeafmintId}. Hibernate creates it.
 *
 * <pre>{@code
 * @Id
 * @LeafmintId("order")
 * private Long id;
 * }</pre>
 */
public final class LeafmintIdGenerator extends MintedIdGenerator<LeafmintId> {
    private static final long serialVersionUID = 1L;

    /** Creates a generator without a tag. */
    public LeafmintIdGenerator() {}

    @Override
    Supplier<Supplier<Object>> find(LeafmintId annotation, Minted property, IdGenerators generators) {
        String name = annotation.series();
        if (!name.isEmpty()) {
            property.conversion().requireText(annotation, property.name());
            return () -> {
                Series series = generators.series(name);
                return () -> series.next().text();
            };
        }
        String table = property.context().getPersistentClass().getRootTable().getName();
        String tag = annotation.value().isEmpty() ? table : annotation.value();
        Supplier<SegmentGenerator> segments = generators.segments();
        return () -> {
            BizTag ids = segments.get().bizTag(tag);
            return () -> property.conversion().convert(ids.nextId());
        };
    }
}
