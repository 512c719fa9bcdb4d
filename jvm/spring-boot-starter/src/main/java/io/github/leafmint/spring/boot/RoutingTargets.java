package io.github.leafmint.spring.boot;

import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import com.baomidou.dynamic.datasource.ds.ItemDataSource;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * The targets of a data source that chooses one for each thread: threads of leafmint have no choice to make.
 *
 * @param targets the targets, by name
 * @param first the name of the default, or null
 */
record RoutingTargets(Map<String, DataSource> targets, String first) {
    private static final String NO_KEY = "default";

    private static final boolean SPRING =
            isPresent("org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource");
    private static final boolean DYNAMIC = isPresent("com.baomidou.dynamic.datasource.DynamicRoutingDataSource");

    /** Returns null for a data source that does not route. */
    static RoutingTargets of(DataSource dataSource, Environment environment) {
        if (SPRING && dataSource instanceof AbstractRoutingDataSource) {
            return OfSpring.targets((AbstractRoutingDataSource) dataSource);
        }
        if (DYNAMIC && dataSource instanceof DynamicRoutingDataSource) {
            return Dynamic.targets((DynamicRoutingDataSource) dataSource, environment);
        }
        return null;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, RoutingTargets.class.getClassLoader());
    }

    private static String nameOf(DataSource wanted, Map<String, DataSource> targets) {
        for (Map.Entry<String, DataSource> target : targets.entrySet()) {
            if (target.getValue() == wanted) {
                return target.getKey();
            }
        }
        return null;
    }

    private static final class OfSpring {
        private OfSpring() {}

        static RoutingTargets targets(AbstractRoutingDataSource routing) {
            var targets = new TreeMap<String, DataSource>();
            routing.getResolvedDataSources().forEach((key, target) -> targets.put(String.valueOf(key), target));
            DataSource byDefault = routing.getResolvedDefaultDataSource();
            String first = nameOf(byDefault, targets);
            if (byDefault != null && first == null) {
                first = NO_KEY;
                targets.put(first, byDefault);
            }
            return new RoutingTargets(targets, first);
        }
    }

    private static final class Dynamic {
        private Dynamic() {}

        static RoutingTargets targets(DynamicRoutingDataSource routing, Environment environment) {
            var targets = new TreeMap<String, DataSource>(routing.getDataSources());
            String first = environment.getProperty("spring.datasource.dynamic.primary", "master");
            // A primary group would lead to another target after each start.
            String only = targets.containsKey(first) ? first : null;
            targets.replaceAll((name, target) -> plain(target));
            return new RoutingTargets(targets, only);
        }

        /** Returns what was configured, unless p6spy or Seata wrap it. */
        private static DataSource plain(DataSource target) {
            boolean isPlain = target instanceof ItemDataSource item
                    && !Boolean.TRUE.equals(item.getP6spy())
                    && !Boolean.TRUE.equals(item.getSeata());
            return isPlain ? ((ItemDataSource) target).getRealDataSource() : target;
        }
    }
}
