package io.github.leafmint.persistence;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Gives a new entity the next id of a tag, in segment mode.
 *
 * <p>Put it next to the framework's own {@code @Id} or {@code @TableId}, or on a property that is no key. Hibernate 6.6
 * and 7, Spring Data JDBC and R2DBC, MyBatis and MyBatis-Plus read it. The property is a {@code long}, {@code Long},
 * {@code int}, {@code Integer}, {@code String}, {@code BigInteger} or {@link io.github.leafmint.ids.TypedId}. An id
 * that the application assigned is kept.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id
 *     @SegmentId("order")
 *     private Long id;
 * }
 * }</pre>
 *
 * @see SeriesValue
 * @see HibernateSettings
 */
@IdGeneratorType(SegmentIdGenerator.class)
@ValueGenerationType(generatedBy = SegmentIdGenerator.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SegmentId {
    /**
     * The name of the tag; by default that of the entity's table, so that a common superclass can have the id.
     *
     * @return the name of the tag, or empty for the table
     */
    String value() default "";
}
