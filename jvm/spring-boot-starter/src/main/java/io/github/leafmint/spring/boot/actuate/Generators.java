package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The generators among the beans, by the name that health, meters and endpoint show.
 *
 * <p>The only one of its kind, or the primary one, is called {@code segments} or {@code snowflakes}, as in Python.
 * Others have the name of their bean.
 *
 * @param segments the segment generators
 * @param snowflakes the snowflake generators
 */
record Generators(Map<String, SegmentGenerator> segments, Map<String, SnowflakeGenerator> snowflakes) {
    static Generators of(ListableBeanFactory beans) {
        return new Generators(
                named(beans, SegmentGenerator.class, "segments"), named(beans, SnowflakeGenerator.class, "snowflakes"));
    }

    /** Spring asks for it at each start: the code that the JVM makes for records would take milliseconds. */
    @Override
    public int hashCode() {
        return segments.keySet().hashCode();
    }

    private static <T> Map<String, T> named(ListableBeanFactory beans, Class<T> type, String name) {
        // A generator of a narrower scope would be opened by the look-up.
        Map<String, T> found = beans.getBeansOfType(type, false, true);
        T only = found.size() == 1 ? found.values().iterator().next() : null;
        T first = found.size() > 1 ? beans.getBeanProvider(type).getIfUnique() : only;
        var named = new LinkedHashMap<String, T>();
        for (Map.Entry<String, T> bean : found.entrySet()) {
            named.put(bean.getValue() == first ? name : bean.getKey(), bean.getValue());
        }
        return named;
    }
}
