package io.github.leafmint.test.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.SnowflakeGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactories;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextManager;

/**
 * Spring keeps the contexts of earlier tests open, 32 by default, so that tests of the same configuration share one.
 */
@Timeout(60)
class ManyContextsTest {
    private static final int CONTEXTS = Boolean.getBoolean("leafmint.tests.all") ? 30 : 8;

    /** The configuration of the next test. */
    private static int number;

    /** Has the application's context, one for each {@link #number}. */
    @SpringBootTest(classes = Shop.class, properties = "leafmint.snowflake.enabled=true")
    @ContextCustomizerFactories(Numbered.class)
    static class ShopTest {
        @Autowired
        ConfigurableApplicationContext context;

        @Autowired
        Shop.Orders orders;

        @Autowired
        SnowflakeGenerator flakes;
    }

    record Number(int value) implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {}
    }

    static class Numbered implements ContextCustomizerFactory {
        @Override
        public ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
            return new Number(number);
        }
    }

    @Test
    void testsOfManyConfigurationsPassInAnyOrder() throws Exception {
        long seed = System.nanoTime();
        List<Integer> order = new ArrayList<>();
        for (int at = 0; at < 3 * CONTEXTS; at++) {
            order.add(at % CONTEXTS);
        }
        Collections.shuffle(order, new Random(seed));

        Map<Integer, ShopTest> first = new HashMap<>();
        Map<Integer, Long> opened = new HashMap<>();
        Set<Long> flakes = new HashSet<>();
        Set<Long> workerIds = new HashSet<>();
        for (int next : order) {
            number = next;
            var test = new ShopTest();
            new TestContextManager(ShopTest.class).prepareTestInstance(test);
            assertSame(first.computeIfAbsent(next, absent -> test).context, test.context, "cached");
            assertEquals(opened.merge(next, 1L, Long::sum), test.orders.open(), () -> "seed " + seed);
            assertTrue(flakes.add(test.flakes.nextId()), () -> "seed " + seed);
            workerIds.add(test.flakes.workerId().orElseThrow());
        }
        assertEquals(
                CONTEXTS,
                first.values().stream().filter(test -> test.context.isActive()).count());
        assertEquals(CONTEXTS, workerIds.size());
        first.values().forEach(test -> test.context.close());
    }
}
