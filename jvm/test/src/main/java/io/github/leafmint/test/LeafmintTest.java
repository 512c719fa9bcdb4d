package io.github.leafmint.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test generators of its own, whose ids start at 1, and a clock that only the test moves.
 *
 * <p>A test method, a method annotated {@code @BeforeEach} or {@code @AfterEach}, and a field annotated {@link TestIds}
 * can have
 *
 * <ul>
 *   <li>a {@link io.github.leafmint.SegmentGenerator} on a store of the test's own in memory, whose series have the
 *       dates of the test's clock,
 *   <li>a {@link io.github.leafmint.Tag} of that generator, named by {@code @TestIds("order")},
 *   <li>a {@link io.github.leafmint.SnowflakeGenerator} on the test's clock, with worker id 0 unless {@link TestIds}
 *       names another,
 *   <li>a {@link io.github.leafmint.VirtualClock}, the test's clock.
 * </ul>
 *
 * <p>Within one test they are the same objects wherever they occur. They are closed after the methods annotated
 * {@code @AfterEach}. Tests, repetitions and parallel tests share nothing.
 *
 * <pre>{@code
 * @LeafmintTest
 * class InvoiceTest {
 *     @TestIds
 *     SnowflakeGenerator flakes;
 *
 *     @Test
 *     void anInvoiceOfTomorrowHasAHigherId(VirtualClock clock) {
 *         long today = flakes.nextId();
 *         clock.advance(Duration.ofDays(1));
 *         assertTrue(flakes.nextId() > today);
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@ExtendWith(LeafmintExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LeafmintTest {
    /**
     * What the clock shows at first.
     *
     * @return a time as {@link java.time.Instant#parse} reads it
     */
    String startsAt() default "2026-01-01T00:00:00Z";
}
