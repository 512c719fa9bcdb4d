package io.github.leafmint.persistence;

import io.github.leafmint.BizTag;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import java.util.function.Supplier;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

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
        String tag = annotation.value().isEmpty() ? table(property) : annotation.value();
        Supplier<SegmentGenerator> segments = generators.segments();
        return () -> {
            BizTag ids = segments.get().bizTag(tag);
            return () -> property.conversion().convert(ids.nextId());
        };
    }

    private static String table(Minted property) {
        // Null in Hibernate 6.6 for an object that is embedded.
        @Nullable PersistentClass entity = property.context().getPersistentClass();
        if (entity == null) {
            throw new InvalidConfigException("the tag of " + property.name()
                    + " has no name, and an embedded object has no table: write @LeafmintId(\"name\")");
        }
        return entity.getRootTable().getName();
    }
}
