/**
 * Ids of entities: annotations for Hibernate, Spring Data JDBC and R2DBC, and MyBatis-Plus.
 *
 * <p>Hibernate needs nothing but this JAR and {@linkplain io.github.leafmint.persistence.HibernateSettings settings}.
 * For the others, and for Hibernate in Spring Boot, add {@code leafmint-spring-boot-starter}.
 */
@NullMarked
@JavaTypeRegistration(javaType = TypedId.class, descriptorClass = TypedIdFinder.class)
package io.github.leafmint.persistence;

import io.github.leafmint.ids.TypedId;
import org.hibernate.annotations.JavaTypeRegistration;
import org.jspecify.annotations.NullMarked;
