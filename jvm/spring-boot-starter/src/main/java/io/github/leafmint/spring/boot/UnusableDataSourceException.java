package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidConfigException;

/** No data source is meant, several are, or the one that is meant cannot lend connections. */
final class UnusableDataSourceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String property;

    /** {@code property} is the one that names the data source. */
    UnusableDataSourceException(String problem, String property) {
        super(problem, new InvalidConfigException(problem + ": set " + property));
        this.property = property;
    }

    /** Says what to do. */
    String action() {
        String prefix = property.substring(0, property.lastIndexOf('.'));
        return "Set " + property + " to the name of a DataSource bean, of a target of one that routes, or of a "
                + "ConnectionFactory bean, or " + prefix + ".url to a store of leafmint's own, or " + prefix
                + ".enabled=false.";
    }
}
