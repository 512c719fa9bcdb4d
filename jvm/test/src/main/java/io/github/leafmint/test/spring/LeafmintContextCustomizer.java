package io.github.leafmint.test.spring;

import io.github.leafmint.VirtualClock;
import io.github.leafmint.spring.boot.SegmentGeneratorBuilderCustomizer;
import io.github.leafmint.spring.boot.SnowflakeGeneratorBuilderCustomizer;
import io.github.leafmint.test.TestGenerators;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Gives a context ids of its own, in memory, unless its properties say where they come from.
 *
 * <p>Spring's cache compares customizers, so that tests without {@link LeafmintTestClock} share contexts as before. The
 * name of the store is made for each context, not for each customizer.
 *
 * @param clock {@code null} for the real time
 */
record LeafmintContextCustomizer(@Nullable LeafmintTestClock clock) implements ContextCustomizer {
    /** Whether ids come from memory: {@code unset}, {@code always} or {@code never}. */
    private static final String IN_MEMORY = "leafmint.test.in-memory";

    private static final String URL = "leafmint.segment.url";

    private static final String CUSTOMIZER = "io.github.leafmint.spring.boot.SnowflakeGeneratorBuilderCustomizer";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        ConfigurableEnvironment environment = context.getEnvironment();
        String inMemory = environment.getProperty(IN_MEMORY, "unset");
        MutablePropertySources sources = environment.getPropertySources();
        String url = TestGenerators.uniqueUrl();
        switch (inMemory) {
            case "unset" -> sources.addLast(defaults(environment, url));
            case "always" -> addBeforeFiles(sources, defaults(environment, url));
            case "never" -> {}
            default -> throw new IllegalStateException(IN_MEMORY + "=" + inMemory + " is not unset, always or never");
        }
        // Applications create tags when they are deployed, and say so in a file. Memory has none but those of the test.
        if (url.equals(environment.getProperty(URL))) {
            Map<String, Object> created = Map.of("leafmint.segment.auto-create", true);
            addBeforeFiles(sources, new MapPropertySource("leafmint-test-tags", created));
        }
        if (clock != null) {
            addClock(context, environment, clock);
        }
    }

    private static PropertySource<?> defaults(ConfigurableEnvironment environment, String url) {
        Map<String, Object> defaults = new HashMap<>();
        defaults.put(URL, url);
        boolean hasUrl = environment.containsProperty("leafmint.snowflake.url");
        // A URL alone would switch snowflakes on in an application that has none.
        if (environment.getProperty("leafmint.snowflake.enabled", Boolean.class, hasUrl)) {
            defaults.put("leafmint.snowflake.url", WorkerDirectory.url());
        }
        return new MapPropertySource("leafmint-test", defaults);
    }

    /** Adds properties that the test and the environment override, but no file of the application does. */
    private static void addBeforeFiles(MutablePropertySources sources, PropertySource<?> added) {
        String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        if (sources.contains(environment)) {
            sources.addAfter(environment, added);
        } else {
            sources.addFirst(added);
        }
    }

    private static void addClock(
            ConfigurableApplicationContext context, ConfigurableEnvironment environment, LeafmintTestClock clock) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        VirtualClock shown = VirtualClock.at(Instant.parse(clock.startsAt()));
        beans.registerSingleton("leafmintTestClock", shown);
        if (ClassUtils.isPresent(CUSTOMIZER, context.getClassLoader())) {
            VirtualTime.register(beans, shown, clock.workerId());
            // The URL is not used: time and worker id are the test's.
            Map<String, Object> enabled =
                    Map.of("leafmint.snowflake.enabled", true, "leafmint.snowflake.url", "local:");
            environment.getPropertySources().addFirst(new MapPropertySource("leafmint-test-clock", enabled));
        }
    }

    /** Makes the customizer of each test's context. Spring finds it in {@code META-INF/spring.factories}. */
    static final class Factory implements ContextCustomizerFactory {
        @Override
        public ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
            return new LeafmintContextCustomizer(
                    TestContextAnnotationUtils.findMergedAnnotation(testClass, LeafmintTestClock.class));
        }
    }

    /** Puts the starter's generators on a test's clock. Loaded only if the starter is on the class path. */
    private static final class VirtualTime {
        private VirtualTime() {}

        static void register(ConfigurableListableBeanFactory beans, VirtualClock clock, long workerId) {
            SnowflakeGeneratorBuilderCustomizer customizer = builder -> builder.inVirtualTime(clock, workerId);
            beans.registerSingleton("leafmintTestClockCustomizer", customizer);
            SegmentGeneratorBuilderCustomizer ofSeries = builder -> builder.clock(clock);
            beans.registerSingleton("leafmintTestClockOfSeriesCustomizer", ofSeries);
        }
    }
}
