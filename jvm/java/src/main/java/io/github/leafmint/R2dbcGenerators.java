package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.lending.R2dbcSource;
import io.r2dbc.spi.ConnectionFactory;

/**
 * Opens generators over the database of a connection factory of R2DBC. Only this class needs R2DBC on the class path.
 *
 * <p>It is what {@link SegmentGenerator#builder(javax.sql.DataSource)} is for JDBC.
 *
 * <pre>{@code
 * SegmentGenerator ids = R2dbcGenerators.segments(connectionFactory).open();
 * }</pre>
 */
public final class R2dbcGenerators {
    private R2dbcGenerators() {}

    /**
     * Returns the builder of a generator over the database of a connection factory.
     *
     * @param factory the connection factory, which stays the application's: close it after the generator
     * @return the builder
     */
    public static SegmentGeneratorBuilder segments(ConnectionFactory factory) {
        return new SegmentGeneratorBuilder(new R2dbcSource(requireNonNull(factory, "factory")));
    }

    /**
     * Returns the builder of a generator with worker ids in the database of a connection factory.
     *
     * @param factory the connection factory, which stays the application's: close it after the generator
     * @return the builder
     */
    public static SnowflakeGeneratorBuilder snowflakes(ConnectionFactory factory) {
        return new SnowflakeGeneratorBuilder(new R2dbcSource(requireNonNull(factory, "factory")));
    }
}
