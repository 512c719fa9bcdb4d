package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGeneratorBuilder;
import org.jspecify.annotations.NullMarked;

/**
 * Changes the segment generator before it is opened, after the properties have been applied.
 *
 * <p>Beans of this type are called in their {@linkplain org.springframework.core.annotation.Order order}.
 *
 * <pre>{@code
 * @Bean
 * SegmentGeneratorBuilderCustomizer patientOnBatchHosts() {
 *     return builder -> builder.timeout(Duration.ofSeconds(30));
 * }
 * }</pre>
 */
@FunctionalInterface
@NullMarked
public interface SegmentGeneratorBuilderCustomizer {
    /**
     * Changes the builder.
     *
     * @param builder the builder of the segment generator
     */
    void customize(SegmentGeneratorBuilder builder);
}
