package io.github.leafmint.spring.boot;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Decides in which order the generators and other users of the database are made. */
final class PreparedDatabase {
    private static final Set<String> GENERATORS = Set.of("leafmintSegmentGenerator", "leafmintSnowflakeGenerator");

    private final Environment environment;

    PreparedDatabase(Environment environment) {
        this.environment = environment;
    }

    /** Returns the generators that create tables or tags. */
    Set<String> preparing(ConfigurableListableBeanFactory beans) {
        return prepares() ? declared(Set.of("leafmintSegmentGenerator"), beans) : Set.of();
    }

    /** Returns the generators that find the tables that others create. */
    Set<String> using(ConfigurableListableBeanFactory beans) {
        Set<String> names = declared(GENERATORS, beans);
        names.removeAll(preparing(beans));
        return names;
    }

    private Set<String> declared(Set<String> names, ConfigurableListableBeanFactory beans) {
        // JPA needs the generators, so they cannot wait for it if it is to initialise the database.
        boolean jpaFirst = environment.getProperty("spring.jpa.defer-datasource-initialization", Boolean.class, false);
        var declared = new TreeSet<String>();
        for (String name : names) {
            if (!jpaFirst && beans.containsBeanDefinition(name)) {
                declared.add(name);
            }
        }
        return declared;
    }

    private boolean prepares() {
        Binder binder = Binder.get(environment);
        if (binder.bind("leafmint.segment.init-schema", Boolean.class).orElse(false)) {
            return true;
        }
        Bindable<Map<String, LeafmintProperties.Tag>> tags = Bindable.mapOf(String.class, LeafmintProperties.Tag.class);
        return LeafmintProperties.creates(
                binder.bind("leafmint.segment.tags", tags).orElse(Map.of()));
    }
}
