package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.IdSource;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import io.github.leafmint.spring.boot.MissingSegments;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the tag or the snowflake generator that an annotation names. Looks up the beans when they are first needed.
 *
 * <pre>{@code
 * IdSource ids = sources.find(field.getAnnotation(SegmentId.class), () -> "orders", "shop.Order.id");
 * }</pre>
 */
public final class IdSources {
    private final ObjectProvider<SegmentGenerator> segments;
    private final ObjectProvider<SnowflakeGenerator> snowflakes;
    private final BeanFactory beans;

    /** Holds the tags: one that nothing holds forgets its statistics. */
    private final Map<String, Tag> tags = new ConcurrentHashMap<>();

    /**
     * Creates the sources over the beans of the application.
     *
     * @param segments the segment generator
     * @param snowflakes the snowflake generator
     * @param beans the beans, for the series among them
     */
    public IdSources(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            BeanFactory beans) {
        this.segments = segments;
        this.snowflakes = snowflakes;
        this.beans = beans;
    }

    /**
     * Returns the source of the values of a property.
     *
     * @param annotation the annotation of the property, or {@code null}
     * @param table the name of the entity's table, the default of the tag
     * @param type the type of the property
     * @param property the name of the property, for messages
     * @return the source, or {@code null} without an annotation
     * @throws InvalidConfigException if there is no such generator or series, or none that is primary among several
     *     generators, or if the property cannot hold the values
     */
    public @Nullable ValueSource find(
            @Nullable Annotation annotation, Supplier<String> table, Class<?> type, String property) {
        if (annotation instanceof SeriesValue series) {
            IdConversion.to(type, property).requireText(series, property);
            return ValueSource.of(SeriesBeans.find(beans, series.value()));
        }
        IdSource ids = find(annotation, table, property);
        return ids == null ? null : ValueSource.of(ids, IdConversion.to(type, property));
    }

    /**
     * Returns the source of the ids of a property.
     *
     * @param annotation the annotation of the property, or {@code null}
     * @param table the name of the entity's table, the default of the tag
     * @param property the name of the property, for messages
     * @return the source, or {@code null} without an annotation
     * @throws InvalidConfigException if there is no such generator, or none that is primary among several, or if the
     *     property is a number of a series
     */
    public @Nullable IdSource find(@Nullable Annotation annotation, Supplier<String> table, String property) {
        if (annotation instanceof SegmentId tag) {
            return tags.computeIfAbsent(tag.value().isEmpty() ? table.get() : tag.value(), this::open);
        }
        if (annotation instanceof SeriesValue series) {
            throw new InvalidConfigException(property + " is a number of series \"" + series.value()
                    + "\", and an id was asked for: call next().text() of that series");
        }
        return annotation instanceof SnowflakeId ? snowflake("an id with @SnowflakeId") : null;
    }

    /**
     * Returns whether the application has a snowflake generator.
     *
     * @return true if there is one, or several
     */
    public boolean hasSnowflakes() {
        return snowflakes.stream().findAny().isPresent();
    }

    /**
     * Returns the snowflake generator as a source of ids.
     *
     * @param user what needs it, for the message
     * @return the source
     * @throws InvalidConfigException if there is no snowflake generator, or none that is primary among several
     */
    public IdSource snowflake(String user) {
        SnowflakeGenerator generator = only(snowflakes, "SnowflakeGenerators for " + user);
        if (generator == null) {
            throw new InvalidConfigException("there is no SnowflakeGenerator for " + user
                    + ": set leafmint.snowflake.enabled=true or leafmint.snowflake.url, or use @SegmentId");
        }
        return generator;
    }

    private Tag open(String name) {
        SegmentGenerator generator = only(segments, "SegmentGenerators for @SegmentId(\"" + name + "\")");
        if (generator == null) {
            throw new InvalidConfigException(
                    "there is no SegmentGenerator for @SegmentId(\"" + name + "\"): " + MissingSegments.explain(beans));
        }
        return generator.tag(name);
    }

    /** Returns the only generator or the primary one, {@code null} if there is none. */
    private static <G> @Nullable G only(ObjectProvider<G> generators, String several) {
        G only = generators.getIfUnique();
        if (only == null && generators.stream().findAny().isPresent()) {
            throw new InvalidConfigException(
                    "there are several " + several + ", and none is primary: annotate one with @Primary");
        }
        return only;
    }
}
