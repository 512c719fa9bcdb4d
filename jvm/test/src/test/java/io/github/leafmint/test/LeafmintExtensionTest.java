package io.github.leafmint.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.leafmint.ClosedException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs the nested classes with JUnit's engine and looks at what they leave behind. */
@Timeout(60)
class LeafmintExtensionTest {
    private static final Queue<SegmentGenerator> SEGMENTS = new ConcurrentLinkedQueue<>();
    private static final Queue<SnowflakeGenerator> SNOWFLAKES = new ConcurrentLinkedQueue<>();

    private final List<String> threadsBefore = threads();

    @BeforeEach
    void forget() {
        SEGMENTS.clear();
        SNOWFLAKES.clear();
    }

    @Test
    void twentyRepetitionsInParallelEachMintFrom1() throws InterruptedException {
        Events tests = inParallel(InParallel.class).execute().testEvents();
        tests.assertStatistics(counts -> counts.started(20).succeeded(20));
        assertEquals(20, SEGMENTS.stream().distinct().count());
        SEGMENTS.forEach(ids -> assertThrows(ClosedException.class, () -> ids.tag("order")));
        SNOWFLAKES.forEach(flakes -> assertThrows(ClosedException.class, flakes::nextId));
        assertNoThreadIsLeft();
    }

    /** The thread that runs the class waits for the twenty repetitions, without always running one itself. */
    private static EngineTestKit.Builder inParallel(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "21");
    }

    /** Each test would set the field while the others use it. */
    @Test
    void aFieldOfAnInstanceThatConcurrentTestsShareIsRefused() {
        var perClass = inParallel(SharedField.class);
        var byDefault = inParallel(FieldInParallel.class)
                .configurationParameter("junit.jupiter.testinstance.lifecycle.default", "per_class");
        for (EngineTestKit.Builder tests : List.of(perClass, byDefault)) {
            tests.execute().testEvents().failed().assertThatEvents().hasSize(20).allSatisfy(failed -> {
                var result = failed.getRequiredPayload(TestExecutionResult.class);
                String message = result.getThrowable().orElseThrow().getMessage();
                assertTrue(message.contains("and so the field order: take a parameter of the test method"), message);
            });
        }
        inParallel(FieldInParallel.class).execute().testEvents().assertStatistics(counts -> counts.succeeded(20));
        run(SharedField.class).assertStatistics(counts -> counts.succeeded(20));
    }

    @Test
    void aTestThatFailsIsClosedToo() throws InterruptedException {
        Events tests = run(Failing.class);
        tests.assertStatistics(counts -> counts.started(1).failed(1));
        assertThrows(ClosedException.class, () -> SEGMENTS.element().tag("order"));
        assertNoThreadIsLeft();
    }

    @Test
    void idsAreOpenInAfterEachMethods() {
        run(MintingAfterEach.class).assertStatistics(counts -> counts.succeeded(1));
        assertThrows(ClosedException.class, () -> SEGMENTS.element().tag("order"));
    }

    @Test
    void whatWouldBeSharedByTestsIsRefused() {
        for (Class<?> sharing : List.of(OfTheConstructor.class, OfBeforeAll.class)) {
            String message = failureOf(sharing);
            assertTrue(message.contains("use a field annotated @TestIds"), message);
            assertTrue(message.contains(sharing.getSimpleName()), message);
        }
    }

    @Test
    void mistakesAreNamed() {
        assertTrue(failureOf(WithoutATag.class).contains("name the tag of "), failureOf(WithoutATag.class));
        String message = failureOf(WithAFinalField.class);
        assertTrue(message.contains("WithAFinalField.ids") && message.contains("not static or final"), message);
        message = failureOf(WithAnOptionWithoutValue.class);
        assertTrue(message.contains("\"wide\"") && message.contains("\"layout=wide\""), message);
    }

    private static Events run(Class<?> tests) {
        return execute(tests).testEvents();
    }

    /** Returns the message of the one failure, of a test or of its class. */
    private static String failureOf(Class<?> tests) {
        return execute(tests).allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage())
                .findFirst()
                .orElseThrow();
    }

    private static EngineExecutionResults execute(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    private void assertNoThreadIsLeft() throws InterruptedException {
        for (int waited = 0; waited < 3000 && !threadsLeft().isEmpty(); waited++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertEquals(List.of(), threadsLeft());
    }

    /**
     * Returns the threads that were not there before. One that was, such as an idle waker of an earlier test, may end.
     */
    private List<String> threadsLeft() {
        var left = new ArrayList<>(threads());
        threadsBefore.forEach(left::remove);
        return left;
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("leafmint"))
                .sorted()
                .toList();
    }

    private static void keep(SegmentGenerator ids, SnowflakeGenerator flakes) {
        SEGMENTS.add(ids);
        SNOWFLAKES.add(flakes);
    }

    @LeafmintTest
    @Execution(ExecutionMode.CONCURRENT)
    static class InParallel {
        private static final CyclicBarrier ALL = new CyclicBarrier(20);

        @RepeatedTest(20)
        void mint(SegmentGenerator ids, @TestIds("order") Tag order, SnowflakeGenerator flakes, VirtualClock clock)
                throws Exception {
            keep(ids, flakes);
            ALL.await(30, TimeUnit.SECONDS);
            for (long id = 1; id <= 1000; id++) {
                assertEquals(id, order.nextId());
            }
            long first = flakes.nextId();
            ALL.await(30, TimeUnit.SECONDS);
            clock.advance(Duration.ofMillis(7));
            assertEquals(first + (7L << 22), flakes.nextId());
        }
    }

    @LeafmintTest
    static class Failing {
        @Test
        void fail(SegmentGenerator ids, SnowflakeGenerator flakes) {
            keep(ids, flakes);
            throw new AssertionError("as it is meant to");
        }
    }

    @LeafmintTest
    static class MintingAfterEach {
        @TestIds
        SegmentGenerator ids;

        @Test
        void mint() {
            assertEquals(1, ids.tag("order").nextId());
        }

        @AfterEach
        void mintOnce(@TestIds("order") Tag order, SnowflakeGenerator flakes) {
            assertEquals(2, order.nextId());
            keep(ids, flakes);
        }
    }

    @LeafmintTest
    static class OfTheConstructor {
        OfTheConstructor(SegmentGenerator ids) {}

        @Test
        void nothing() {}
    }

    @LeafmintTest
    static class OfBeforeAll {
        @BeforeAll
        static void take(VirtualClock clock) {}

        @Test
        void nothing() {}
    }

    @LeafmintTest
    @Execution(ExecutionMode.CONCURRENT)
    static class FieldInParallel {
        @TestIds("order")
        Tag order;

        @RepeatedTest(20)
        void mintOnce() {
            assertEquals(1, order.nextId());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class SharedField extends FieldInParallel {}

    @LeafmintTest
    static class WithoutATag {
        @Test
        void take(Tag order) {}
    }

    @LeafmintTest
    static class WithAFinalField {
        @TestIds
        private final SegmentGenerator ids = null;

        @Test
        void nothing() {}
    }

    @LeafmintTest
    static class WithAnOptionWithoutValue {
        @Test
        void take(@TestIds(options = "wide") SnowflakeGenerator flakes) {}
    }
}
