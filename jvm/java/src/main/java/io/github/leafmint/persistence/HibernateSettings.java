package io.github.leafmint.persistence;

/**
 * Settings of Hibernate from which {@link SegmentId}, {@link SnowflakeId} and {@link SeriesValue} get their generators.
 * {@link SeriesValue} needs {@link #SERIES}. The others need none: the session factory opens a generator over
 * Hibernate's own database for the first id, and closes it at its own close.
 *
 * <p>Each option of a generator may be set, after {@code leafmint.segment.} or {@code leafmint.snowflake.}:
 *
 * <pre>{@code
 * <property name="leafmint.segment.auto_create" value="true"/>
 * }</pre>
 *
 * <p>For ids from another database there are URLs:
 *
 * <pre>{@code
 * <property name="leafmint.segment.url" value="mysql://host/database"/>
 * <property name="leafmint.segment.username" value="user"/>
 * <property name="leafmint.segment.password" value="password"/>
 * }</pre>
 *
 * <p>Or the application passes generators that it opened, which win over a URL, and closes them itself:
 *
 * <pre>{@code
 * var ids = SegmentGenerator.open("mysql://user:password@host/database");
 * var entities = Persistence.createEntityManagerFactory("shop", Map.of(HibernateSettings.SEGMENT_GENERATOR, ids));
 * }</pre>
 */
public final class HibernateSettings {
    /** A {@link io.github.leafmint.SegmentGenerator}, or a {@link java.util.function.Supplier} of one. */
    public static final String SEGMENT_GENERATOR = "leafmint.segment_generator";

    /** A {@link io.github.leafmint.SnowflakeGenerator}, or a {@link java.util.function.Supplier} of one. */
    public static final String SNOWFLAKE_GENERATOR = "leafmint.snowflake_generator";

    /**
     * The series by name: a {@code Map<String, Series>}, or a {@code Function<String, Series>} that returns
     * {@code null} for a name that it does not know.
     */
    public static final String SERIES = "leafmint.series";

    /** The URL of the store, as {@link io.github.leafmint.SegmentGenerator#open(String)} takes it. */
    public static final String SEGMENT_URL = "leafmint.segment.url";

    /** The user for the store, if the URL has none. */
    public static final String SEGMENT_USERNAME = "leafmint.segment.username";

    /** The password for the store, if the URL has none. */
    public static final String SEGMENT_PASSWORD = "leafmint.segment.password";

    /** The URL of the holder, as {@link io.github.leafmint.SnowflakeGenerator#open(String)} takes it. */
    public static final String SNOWFLAKE_URL = "leafmint.snowflake.url";

    /** The user for the holder, if the URL has none. */
    public static final String SNOWFLAKE_USERNAME = "leafmint.snowflake.username";

    /** The password for the holder, if the URL has none. */
    public static final String SNOWFLAKE_PASSWORD = "leafmint.snowflake.password";

    private HibernateSettings() {}
}
