package io.github.leafmint.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import java.util.function.Supplier;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/**
 * The generator behind {@link SegmentId}. Hibernate creates it.
 *
 * <pre>{@code
 * @Id
 * @SegmentId("order")
 * private Long id;
 * }</pre>
 */
public final class SegmentIdGenerator extends MintedIdGenerator<SegmentId> {
    private static final long serialVersionUID = 1L;

    /** Creates a generator without a tag. */
    public SegmentIdGenerator() {}

    @Override
    Supplier<Supplier<Object>> find(SegmentId annotation, Minted property, IdGenerators generators) {
        String tag = annotation.value().isEmpty() ? table(property) : annotation.value();
        Supplier<SegmentGenerator> segments = generators.segments();
        return () -> {
            Tag ids = segments.get().tag(tag);
            return () -> property.conversion().convert(ids.nextId());
        };
    }

    private static String table(Minted property) {
        // Null in Hibernate 6.6 for an object that is embedded.
        @Nullable PersistentClass entity = property.context().getPersistentClass();
        if (entity == null) {
            throw new InvalidConfigException("the tag of " + property.name()
                    + " has no name, and an embedded object has no table: write @SegmentId(\"name\")");
        }
        return entity.getRootTable().getName();
    }
}
