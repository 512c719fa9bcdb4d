package io.github.leafmint.ids;

import io.github.leafmint.IdFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares how the ids of a class are written for clients.
 *
 * <pre>{@code
 * @IdForm(prefix = "order")
 * public final class OrderId extends TypedId {
 *     public OrderId(long value) {
 *         super(value);
 *     }
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface IdForm {
    /** What an id looks like. */
    enum Form {
        /** As of {@link PublicIds}: a prefix and 26 characters that cannot be guessed. */
        PUBLIC,
        /** As of {@link ScrambledNumbers}: a short number with a check, which can be guessed. */
        SCRAMBLED,
        /** The id itself, as an {@link IdFormat} writes it. */
        FORMATTED,
        /** The id itself, in decimal digits. */
        DECIMAL
    }

    /**
     * Returns the form.
     *
     * @return the form
     */
    Form form() default Form.PUBLIC;

    /**
     * Returns the prefix of the form {@link Form#PUBLIC}, without the underscore after it.
     *
     * @return the prefix; if empty, the name
     */
    String prefix() default "";

    /**
     * Returns the name that the keys are derived for, in the forms {@link Form#PUBLIC} and {@link Form#SCRAMBLED}.
     * Another name changes every text; another prefix leaves the 26 characters as they are.
     *
     * @return the name; if empty, the prefix
     */
    String name() default "";

    /**
     * Returns the format of the forms {@link Form#SCRAMBLED} and {@link Form#FORMATTED}.
     *
     * @return the text of an {@link IdFormat}
     */
    String format() default "";

    /**
     * Returns the number of the key of the form {@link Form#SCRAMBLED}, if there are several keys.
     *
     * @return 0 to 3; if -1, the only key
     */
    int keyNumber() default -1;

    /**
     * Returns the tag whose ids are new ones, for {@link TypedId#next(Class)}.
     *
     * @return the name of the tag; if empty, the class does not mint, unless {@link #snowflake()} is set
     */
    String tag() default "";

    /**
     * Returns whether new ids are snowflakes, for {@link TypedId#next(Class)}.
     *
     * @return whether they are
     */
    boolean snowflake() default false;
}
