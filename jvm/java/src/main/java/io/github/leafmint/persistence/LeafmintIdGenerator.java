package io.github.leafmint.persistence;

import io.github.leafmint.SegmentGenerator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hibernate.generator.GeneratorCreationContext;

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
    Supplier<LongSupplier> find(LeafmintId annotation, GeneratorCreationContext context, IdGenerators generators) {
        String table = context.getPersistentClass().getRootTable().getName();
        String tag = annotation.value().isEmpty() ? table : annotation.value();
        Supplier<SegmentGenerator> segments = generators.segments();
        return () -> segments.get().bizTag(tag);
    }
}
