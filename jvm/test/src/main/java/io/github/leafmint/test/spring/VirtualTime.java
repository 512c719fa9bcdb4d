package io.github.leafmint.test.spring;

import io.github.leafmint.VirtualClock;
import io.github.leafmint.spring.boot.SnowflakeGeneratorBuilderCustomizer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Puts the starter's snowflake generator on a test's clock. Loaded only if the starter is on the class path. */
final class VirtualTime {
    private VirtualTime() {}

    static void register(ConfigurableListableBeanFactory beans, VirtualClock clock, long workerId) {
        SnowflakeGeneratorBuilderCustomizer customizer = builder -> builder.inVirtualTime(clock, workerId);
        beans.registerSingleton("leafmintTestClockCustomizer", customizer);
    }
}
