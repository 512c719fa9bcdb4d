package io.github.leafmint.spring.boot;

import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;

/**
 * Lets a generator that creates nothing, but may be eager, find the tables that Flyway, Liquibase or scripts create.
 */
class LeafmintDependsOnDatabaseInitializationDetector implements DependsOnDatabaseInitializationDetector {
    private final PreparedDatabase database;

    LeafmintDependsOnDatabaseInitializationDetector(Environment environment) {
        database = new PreparedDatabase(environment);
    }

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        return database.using(beans);
    }
}
