package io.github.leafmint.persistence;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Gives a new entity the next number of a series, as its format writes it. The property is a {@code String}.
 *
 * <p>Put it on a property that is no key, or next to the framework's own {@code @Id} or {@code @TableId}. Hibernate 6.6
 * and 7, Spring Data JDBC and R2DBC, MyBatis and MyBatis-Plus read it. A number that the application assigned is kept.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id
 *     @SegmentId("order")
 *     private Long id;
 *
 *     @SeriesValue("invoice")
 *     private String invoice; // INV-261125-000042
 * }
 * }</pre>
 *
 * @see io.github.leafmint.Series
 * @see HibernateSettings#SERIES
 */
@IdGeneratorType(SeriesValueGenerator.class)
@ValueGenerationType(generatedBy = SeriesValueGenerator.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SeriesValue {
    /**
     * The name of the series: with Hibernate alone a name in {@link HibernateSettings#SERIES}, with Spring the
     * qualifier of a bean.
     *
     * @return the name of the series
     */
    String value();
}
