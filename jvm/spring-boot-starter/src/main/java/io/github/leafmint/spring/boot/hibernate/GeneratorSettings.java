package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.persistence.HibernateSettings;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;

/** The settings of Hibernate that hold the generators. */
class GeneratorSettings {
    private final ObjectProvider<SegmentGenerator> segments;
    private final ObjectProvider<SnowflakeGenerator> snowflakes;
    private final boolean deferred;

    GeneratorSettings(
            ObjectProvider<SegmentGenerator> segments,
            ObjectProvider<SnowflakeGenerator> snowflakes,
            boolean deferred) {
        this.segments = segments;
        this.snowflakes = snowflakes;
        this.deferred = deferred;
    }

    void addTo(Map<String, Object> settings) {
        add(settings, HibernateSettings.SEGMENT_GENERATOR, segments);
        add(settings, HibernateSettings.SNOWFLAKE_GENERATOR, snowflakes);
    }

    private void add(Map<String, Object> settings, String name, ObjectProvider<?> generator) {
        if (deferred) {
            // The database is initialised after Hibernate, and the generator after the database.
            settings.putIfAbsent(name, (Supplier<Object>) () -> onlyOrNone(generator));
            return;
        }
        // A generator that exists before the entity manager factory is closed after it.
        Object bean = generator.getIfUnique();
        if (bean != null) {
            settings.putIfAbsent(name, bean);
        } else if (generator.stream().findAny().isPresent()) {
            // Only an entity that needs it fails.
            settings.putIfAbsent(name, (Supplier<Object>) generator::getObject);
        }
    }

    /** Returns the only generator or the primary one, null if there is none; throws what names several. */
    private static Object onlyOrNone(ObjectProvider<?> generator) {
        return generator.stream().findAny().isPresent() ? generator.getObject() : null;
    }
}
