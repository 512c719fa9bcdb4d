package io.github.leafmint.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Leafmint;
import io.github.leafmint.OptionSpec;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/** The generators of one session factory. It closes those that it opened. */
final class IdGenerators implements Service, Stoppable {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, Object> settings;
    private final transient ServiceRegistryImplementor services;
    private transient @Nullable SegmentGenerator openedSegments;
    private transient @Nullable SnowflakeGenerator openedSnowflakes;

    IdGenerators(Map<String, Object> settings, ServiceRegistryImplementor services) {
        this.settings = settings;
        this.services = services;
    }

    /**
     * Returns the generator that the settings name, not opened yet; if they name none, one over Hibernate's database.
     */
    Supplier<SegmentGenerator> segments() {
        return find(SegmentGenerator.class, HibernateSettings.SEGMENT_GENERATOR, this::openSegments);
    }

    /**
     * Returns the generator that the settings name, not opened yet; if they name none, one over Hibernate's database.
     */
    Supplier<SnowflakeGenerator> snowflakes() {
        return find(SnowflakeGenerator.class, HibernateSettings.SNOWFLAKE_GENERATOR, this::openSnowflakes);
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
    private <G> Supplier<G> find(Class<G> kind, String passed, Supplier<G> opener) {
        return () -> {
            Object given = settings.get(passed) instanceof Supplier<?> supplier ? supplier.get() : settings.get(passed);
            if (kind.isInstance(given)) {
                return kind.cast(given);
            }
            if (given != null) {
                throw new InvalidConfigException("the setting " + passed + " is a "
                        + given.getClass().getName() + ": pass a " + kind.getSimpleName());
            }
            return opener.get();
        };
    }

    private synchronized SegmentGenerator openSegments() {
        if (openedSegments == null) {
            String url = text(HibernateSettings.SEGMENT_URL);
            var builder = url == null
                    ? SegmentGenerator.builder(ownDatabase(HibernateSettings.SEGMENT_URL))
                    : SegmentGenerator.builder(url);
            setOptions("leafmint.segment.", Leafmint.segmentOptions(), builder::option);
            openedSegments = builder.open();
        }
        return openedSegments;
    }

    private synchronized SnowflakeGenerator openSnowflakes() {
        if (openedSnowflakes == null) {
            String url = text(HibernateSettings.SNOWFLAKE_URL);
            var builder = url == null
                    ? SnowflakeGenerator.builder(ownDatabase(HibernateSettings.SNOWFLAKE_URL))
                    : SnowflakeGenerator.builder(url);
            setOptions("leafmint.snowflake.", Leafmint.snowflakeOptions(), builder::option);
            openedSnowflakes = builder.open();
        }
        return openedSnowflakes;
    }

    private DataSource ownDatabase(String url) {
        return HibernateDataSource.of(services, settings, "set " + url);
    }

    private void setOptions(String prefix, List<OptionSpec> options, BiConsumer<String, String> builder) {
        for (OptionSpec option : options) {
            String value = text(prefix + option.name());
            if (value != null) {
                builder.accept(option.name(), value);
            }
        }
    }

    private @Nullable String text(String setting) {
        Object value = settings.get(setting);
        return value == null ? null : value.toString();
    }
}
