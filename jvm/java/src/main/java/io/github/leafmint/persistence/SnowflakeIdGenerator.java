package io.github.leafmint.persistence;

import io.github.leafmint.SnowflakeGenerator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hibernate.generator.GeneratorCreationContext;

/**
 * The generator behind {@link SnowflakeId}. Hibernate creates it.
 *
 * <pre>{@code
 * @Id
 * @SnowflakeId
 * private Long id;
 * }</pre>
 */
public final class SnowflakeIdGenerator extends MintedIdGenerator<SnowflakeId> {
    private static final long serialVersionUID = 1L;

    /** Creates a generator without a source of ids. */
    public SnowflakeIdGenerator() {}

    @Override
    Supplier<LongSupplier> find(SnowflakeId annotation, GeneratorCreationContext context, IdGenerators generators) {
        Supplier<SnowflakeGenerator> snowflakes = generators.snowflakes();
        return () -> snowflakes.get()::nextId;
    }
}
