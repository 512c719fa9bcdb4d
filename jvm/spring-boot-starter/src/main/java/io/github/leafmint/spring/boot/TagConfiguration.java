package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.TagOptions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Declares a bean for each tag of the properties, if there is a segment generator. */
@Configuration(proxyBeanMethods = false)
@Conditional(TagConfiguration.OnSegmentGenerator.class)
@Import(TagConfiguration.Registrar.class)
class TagConfiguration {
    /** The name of the bean that makes the tags. */
    private static final String TAGS = "leafmintTags";

    /** Lazy: an application with several generators, and none that is primary, may have no tags to inject. */
    @Bean(TAGS)
    @Lazy
    Tags leafmintTags(SegmentGenerator ids, LeafmintProperties properties) {
        return new Tags(ids, properties);
    }

    /** Registers a bean {@code <name>Tag} for each {@code leafmint.segment.tags.<name>}. */
    static class Registrar extends NamedBeansRegistrar {
        Registrar(Environment environment) {
            super(environment, "leafmint.segment.tags", Tag.class, TAGS, "tag");
        }
    }

    /** Makes the beans of the tags, with the gene bits and the order that their properties have. */
    static class Tags {
        private final SegmentGenerator ids;
        private final LeafmintProperties properties;

        Tags(SegmentGenerator ids, LeafmintProperties properties) {
            this.ids = ids;
            this.properties = properties;
        }

        Tag tag(String name) {
            LeafmintProperties.Tag tag = properties.segment().tags().get(name);
            // A tag that was configured when the application was compiled ahead of time may be gone now.
            return tag == null
                    ? ids.tag(name)
                    : RefusedPropertiesException.naming(
                            LeafmintProperties.TAGS + name,
                            () -> ids.tag(
                                    name,
                                    new TagOptions().geneBits(tag.geneBits()).order(tag.order())));
        }
    }

    /** Matches if there is a segment generator. */
    static class OnSegmentGenerator extends OnNameOrType {
        OnSegmentGenerator() {
            super(SegmentConfiguration.GENERATOR);
        }

        @ConditionalOnBean(SegmentGenerator.class)
        static class OfType {}
    }
}
