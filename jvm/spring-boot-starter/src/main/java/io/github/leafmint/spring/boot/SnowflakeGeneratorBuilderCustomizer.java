package io.github.leafmint.spring.boot;

import io.github.leafmint.SnowflakeGeneratorBuilder;
import org.jspecify.annotations.NullMarked;

/**
 * Changes the snowflake generator before it is opened, after the properties have been applied.
 *
 * <p>Beans of this type are called in their {@linkplain org.springframework.core.annotation.Order order}.
 *
 * <pre>{@code
 * @Bean
 * SnowflakeGeneratorBuilderCustomizer patientOnBatchHosts() {
 *     return builder -> builder.timeout(Duration.ofSeconds(30));
 * }
 * }</pre>
 */
@FunctionalInterface
@NullMarked
public interface SnowflakeGeneratorBuilderCustomizer {
    /**
     * Changes the builder.
     *
     * @param builder the builder of the snowflake generator
     */
    void customize(SnowflakeGeneratorBuilder builder);
}
