package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Declares a bean for each tag of the properties, if there is a segment generator. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnSegmentGenerator.class)
@Import(BizTagRegistrar.class)
class BizTagConfiguration {
    /** Lazy: an application with several generators, and none that is primary, may have no tags to inject. */
    @Bean(BizTagRegistrar.TAGS)
    @Lazy
    BizTags leafmintBizTags(SegmentGenerator ids, LeafmintProperties properties) {
        return new BizTags(ids, properties);
    }
}
