package io.github.leafmint.persistence;

import io.github.leafmint.SnowflakeGenerator;
import java.util.function.Supplier;

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
    Supplier<Supplier<Object>> find(SnowflakeId annotation, Minted property, IdGenerators generators) {
        Supplier<SnowflakeGenerator> snowflakes = generators.snowflakes();
        return () -> {
            SnowflakeGenerator ids = snowflakes.get();
            return () -> property.conversion().convert(ids.nextId());
        };
    }
}
