package io.github.leafmint.test;

import io.github.leafmint.IdOrder;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field that {@link LeafmintTest} sets before each test, and says which ids a field or a parameter mints.
 *
 * <p>Fields may have any visibility; they must not be final or static.
 *
 * <pre>{@code
 * void twoShops(@TestIds(workerId = 1) SnowflakeGenerator one, @TestIds(workerId = 2) SnowflakeGenerator other) {
 *     assertNotEquals(one.nextId(), other.nextId());
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface TestIds {
    /**
     * The name of the tag, which a {@link io.github.leafmint.Tag} must have.
     *
     * @return a name
     */
    String value() default "";

    /**
     * The gene bits of the tag.
     *
     * @return 0 to 12
     */
    int geneBits() default 0;

    /**
     * The order of the tag's ids.
     *
     * @return strict or relaxed
     */
    IdOrder order() default IdOrder.STRICT;

    /**
     * The worker id of a {@link io.github.leafmint.SnowflakeGenerator}.
     *
     * @return 0 or more, within the worker bits of the layout
     */
    long workerId() default 0;

    /**
     * The options of a {@link io.github.leafmint.SnowflakeGenerator}, each as in a URL.
     *
     * @return for example {@code "layout=wide"}
     */
    String[] options() default {};
}
