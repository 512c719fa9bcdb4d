package io.github.leafmint.gallery;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Declares what a library makes of typed ids or minted keys, and runs the test as its proof. The class of the test has
 * {@link Gallery}.
 *
 * <pre>{@code
 * @Row(library = "gson", what = "`toJson`", outcome = "loud", meaning = "names the class", match = "TypedId")
 * void gson() {
 *     new Gson().toJson(Order.of(42));
 * }
 * }</pre>
 */
@Test
@ExtendWith(Proof.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Row {
    /** The library, as the property of its version in jvm/pom.xml has it. */
    String library();

    /** What is done, in a few words. */
    String what();

    /**
     * {@code right}: the test asserts what the library made. {@code loud}: it throws what {@link #match} finds.
     * {@code silent}: nothing of ours can refuse it, and {@link #meaning} says what to do.
     */
    String outcome();

    /** What happens, in a phrase. */
    String meaning();

    /** What the exception says, or one of its causes, if the outcome is loud. */
    String match() default "";
}
