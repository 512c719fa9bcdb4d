package io.github.leafmint.spring.boot;

import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Lets a generator that creates tables or tags do so after Flyway, Liquibase and scripts, and before JPA. */
class LeafmintDatabaseInitializerDetector implements DatabaseInitializerDetector {
    /** Behind the scripts of Spring Boot, which are at {@code LOWEST_PRECEDENCE - 100}. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 50;

    private final PreparedDatabase database;

    LeafmintDatabaseInitializerDetector(Environment environment) {
        database = new PreparedDatabase(environment);
    }

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        return database.preparing(beans);
    }

    @Override
    public int getOrder() {
        return ORDER;
    }
}
