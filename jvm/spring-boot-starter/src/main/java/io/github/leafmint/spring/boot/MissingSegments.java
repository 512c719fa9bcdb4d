package io.github.leafmint.spring.boot;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Explains why there is no segment generator.
 *
 * <pre>{@code
 * throw new InvalidConfigException("there is no SegmentGenerator: " + MissingSegments.explain(beans));
 * }</pre>
 */
public final class MissingSegments {
    /** What to do. */
    static final String ACTION =
            "Declare a DataSource or ConnectionFactory bean, or set leafmint.segment.url, for example to "
                    + "mysql://host/database or postgresql://host/database, or to memory: in tests.";

    private MissingSegments() {}

    /**
     * Returns the reason, and what to do.
     *
     * @param beans the beans of the application
     * @return some sentences
     */
    public static String explain(BeanFactory beans) {
        Environment environment = beans.getBeanProvider(Environment.class).getIfAvailable(StandardEnvironment::new);
        return reason(beans, environment) + " " + ACTION;
    }

    static String reason(BeanFactory beans, Environment environment) {
        if (!environment.getProperty("leafmint.enabled", Boolean.class, true)) {
            return "leafmint.enabled is false.";
        }
        if (!environment.getProperty("leafmint.segment.enabled", Boolean.class, true)) {
            return "leafmint.segment.enabled is false.";
        }
        return "there is no DataSource bean, no ConnectionFactory bean, and leafmint.segment.url is not set.";
    }

    /** Looks at definitions only: the context may be closed by now. */
    static boolean has(BeanFactory beans, Class<?> type) {
        return beans instanceof ListableBeanFactory listable
                && listable.getBeanNamesForType(type, true, false).length > 0;
    }
}
