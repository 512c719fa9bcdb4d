package io.github.leafmint.spring.boot;

import javax.sql.DataSource;

/**
 * A data source of the application.
 *
 * @param name the name of its bean, or of a target of one that routes
 * @param dataSource the data source
 * @param property the property that names another one
 */
record NamedDataSource(String name, DataSource dataSource, String property) {
    @Override
    public String toString() {
        return "data source \"" + name + "\"";
    }
}
