package io.github.leafmint.persistence;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Gives a new entity the next snowflake.
 *
 * <p>Put it next to the framework's own {@code @Id} or {@code @TableId}, or on a property that is no key. Hibernate 6.6
 * and 7, Spring Data JDBC and R2DBC, MyBatis and MyBatis-Plus read it. The property is a {@code long}, {@code Long},
 * {@code String}, {@code BigInteger} or {@link io.github.leafmint.ids.TypedId}. An id that the application assigned is
 * kept.
 *
 * <pre>{@code
 * @Entity
 * class Payment {
 *     @Id
 *     @SnowflakeId
 *     private Long id;
 * }
 * }</pre>
 *
 * @see HibernateSettings
 */
@IdGeneratorType(SnowflakeIdGenerator.class)
@ValueGenerationType(generatedBy = SnowflakeIdGenerator.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SnowflakeId {}
