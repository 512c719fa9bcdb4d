package io.github.leafmint.persistence;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Gives a new entity the next id of a tag, in segment mode.
 *
 * <p>Put it next to the framework's own {@code @Id} or {@code @TableId}. Hibernate 6.6 and 7, Spring Data JDBC and
 * R2DBC, and MyBatis-Plus read it. The property is a {@code long}, {@code Long}, {@code int}, {@code Integer},
 * {@code String} or {@code BigInteger}. An id that the application assigned is kept.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id
 *     @LeafmintId("order")
 *     private Long id;
 * }
 * }</pre>
 *
 * @see HibernateSettings
 */
@IdGeneratorType(LeafmintIdGenerator.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface LeafmintId {
    /**
     * The name of the tag; by default that of the entity's table, so that a common superclass can have the id.
     *
     * @return the name of the tag, or empty for the table
     */
    String value() default "";
}
