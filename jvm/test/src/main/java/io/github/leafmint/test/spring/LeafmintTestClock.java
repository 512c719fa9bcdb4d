package io.github.leafmint.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Puts the snowflakes and the series of a test's application context on a clock that only the test moves, which is a
 * bean of type {@link io.github.leafmint.VirtualClock}.
 *
 * <p>The context needs no worker id from a holder. Tests that share the context share its clock, so a test that moves
 * it starts from {@code clock.instant()}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @LeafmintTestClock(startsAt = "2026-12-24T00:00:00Z")
 * class InvoiceTest {
 *     @Autowired
 *     VirtualClock clock;
 *
 *     @Test
 *     void invoicesOfTwoDaysAreInOrder(@Autowired Invoices invoices) {
 *         long first = invoices.open().id();
 *         clock.advance(Duration.ofDays(1));
 *         assertTrue(invoices.open().id() > first);
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LeafmintTestClock {
    /**
     * What the clock shows when the context starts.
     *
     * @return a time as {@link java.time.Instant#parse} reads it
     */
    String startsAt() default "2026-01-01T00:00:00Z";

    /**
     * The worker id of all snowflakes.
     *
     * @return 0 or more, within the worker bits of the layout
     */
    long workerId() default 0;
}
