package io.github.leafmint.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.service.Service;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/** The generators of one session factory. It closes those that it opened. */
final class IdGenerators implements Service, Stoppable {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, Object> settings;
    private transient @Nullable SegmentGenerator openedSegments;
    private transient @Nullable SnowflakeGenerator openedSnowflakes;

    IdGenerators(Map<String, Object> settings) {
        this.settings = settings;
    }

    /** Returns the generator that the settings name, not opened yet. It throws if they name none. */
    Supplier<SegmentGenerator> segments() {
        return find(
                SegmentGenerator.class,
                HibernateSettings.SEGMENT_GENERATOR,
                HibernateSettings.SEGMENT_URL,
                this::openSegments);
    }

    /** Returns the generator that the settings name, not opened yet. It throws if they name none. */
    Supplier<SnowflakeGenerator> snowflakes() {
        return find(
                SnowflakeGenerator.class,
                HibernateSettings.SNOWFLAKE_GENERATOR,
                HibernateSettings.SNOWFLAKE_URL,
                this::openSnowflakes);
    }

    /** Returns the series that the settings have by that name. */
    Series series(String name) {
        Object all = settings.get(HibernateSettings.SERIES);
        Object found = null;
        if (all instanceof Map<?, ?> byName) {
            found = byName.get(name);
        } else if (all instanceof Function<?, ?> finder) {
            @SuppressWarnings("unchecked") // as the setting is documented
            Function<String, Object> byName = (Function<String, Object>) finder;
            found = byName.apply(name);
        }
        if (found instanceof Series series) {
            return series;
        }
        throw new InvalidConfigException("Hibernate has no series \"" + name + "\": pass it in the setting "
                + HibernateSettings.SERIES + ", for example Map.of(\"" + name + "\", series)");
    }

    @Override
    public synchronized void stop() {
        try {
            if (openedSegments != null) {
                openedSegments.close();
            }
        } finally {
            if (openedSnowflakes != null) {
                openedSnowflakes.close();
            }
            openedSegments = null;
            openedSnowflakes = null;
        }
    }

    /**
     * Finds a generator when the first id needs it: metadata is also built without one, by tools that generate code or
     * a schema.
     */
    private <G> Supplier<G> find(Class<G> kind, String passed, String url, Supplier<G> opener) {
        return () -> {
            Object given = settings.get(passed) instanceof Supplier<?> supplier ? supplier.get() : settings.get(passed);
            if (kind.isInstance(given)) {
                return kind.cast(given);
            }
            if (given != null) {
                throw new InvalidConfigException("the setting " + passed + " is a "
                        + given.getClass().getName() + ": pass a " + kind.getSimpleName());
            }
            if (settings.get(url) == null) {
                throw new InvalidConfigException("Hibernate has no " + kind.getSimpleName()
                        + ": pass one as the setting " + passed + ", or set " + url);
            }
            return opener.get();
        };
    }

    private synchronized SegmentGenerator openSegments() {
        if (openedSegments == null) {
            var builder = SegmentGenerator.builder(text(HibernateSettings.SEGMENT_URL));
            ifSet(HibernateSettings.SEGMENT_USER, builder::user);
            ifSet(HibernateSettings.SEGMENT_PASSWORD, builder::password);
            openedSegments = builder.open();
        }
        return openedSegments;
    }

    private synchronized SnowflakeGenerator openSnowflakes() {
        if (openedSnowflakes == null) {
            var builder = SnowflakeGenerator.builder(text(HibernateSettings.SNOWFLAKE_URL));
            ifSet(HibernateSettings.SNOWFLAKE_USER, builder::user);
            ifSet(HibernateSettings.SNOWFLAKE_PASSWORD, builder::password);
            openedSnowflakes = builder.open();
        }
        return openedSnowflakes;
    }

    private void ifSet(String setting, Consumer<String> option) {
        if (settings.get(setting) != null) {
            option.accept(text(setting));
        }
    }

    private String text(String setting) {
        return String.valueOf(settings.get(setting));
    }
}
