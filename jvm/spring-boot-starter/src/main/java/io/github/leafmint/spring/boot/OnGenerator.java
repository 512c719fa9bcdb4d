package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/**
 * Matches if there is a generator of either kind.
 *
 * <pre>{@code
 * @Bean
 * @Conditional(OnGenerator.class)
 * IdentifierGenerator identifierGenerator() {
 *     return new ShopIdentifierGenerator();
 * }
 * }</pre>
 */
public class OnGenerator extends OnNameOrType {
    /** Creates the condition. */
    public OnGenerator() {
        super(SegmentConfiguration.GENERATOR, SnowflakeConfiguration.GENERATOR);
    }

    @ConditionalOnBean(SegmentGenerator.class)
    static class OnSegments {}

    @ConditionalOnBean(SnowflakeGenerator.class)
    static class OnSnowflakes {}
}
