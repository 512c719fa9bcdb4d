package io.github.leafmint.spring.boot;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Decides in which order the generators and other users of the database are made. */
final class InitializationOrder {
    private InitializationOrder() {}

    /** Lets a generator that creates tables or tags do so after Flyway, Liquibase and scripts, and before JPA. */
    static class Preparing implements DatabaseInitializerDetector {
        /** Behind the scripts of Spring Boot, which are at {@code LOWEST_PRECEDENCE - 100}. */
        private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 50;

        private final Environment environment;

        Preparing(Environment environment) {
            this.environment = environment;
        }

        @Override
        public Set<String> detect(ConfigurableListableBeanFactory beans) {
            return preparing(beans, environment);
        }

        @Override
        public int getOrder() {
            return ORDER;
        }
    }

    /**
     * Lets a generator that creates nothing, but may be eager, find the tables that Flyway, Liquibase or scripts
     * create.
     */
    static class Using implements DependsOnDatabaseInitializationDetector {
        private final Environment environment;

        Using(Environment environment) {
            this.environment = environment;
        }

        @Override
        public Set<String> detect(ConfigurableListableBeanFactory beans) {
            Set<String> all = Set.of(SegmentConfiguration.GENERATOR, SnowflakeConfiguration.GENERATOR);
            Set<String> names = declared(all, beans, environment);
            names.removeAll(preparing(beans, environment));
            return names;
        }
    }

    /** Returns the generators that create tables or tags. */
    private static Set<String> preparing(ConfigurableListableBeanFactory beans, Environment environment) {
        return prepares(environment) ? declared(Set.of(SegmentConfiguration.GENERATOR), beans, environment) : Set.of();
    }

    private static Set<String> declared(
            Set<String> names, ConfigurableListableBeanFactory beans, Environment environment) {
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

    private static boolean prepares(Environment environment) {
        Binder binder = Binder.get(environment);
        if (binder.bind("leafmint.segment.init-schema", Boolean.class).orElse(false)) {
            return true;
        }
        Bindable<Map<String, LeafmintProperties.Tag>> tags = Bindable.mapOf(String.class, LeafmintProperties.Tag.class);
        return LeafmintProperties.creates(
                binder.bind("leafmint.segment.tags", tags).orElse(Map.of()));
    }
}
