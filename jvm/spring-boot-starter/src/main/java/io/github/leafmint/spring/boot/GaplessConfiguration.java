package io.github.leafmint.spring.boot;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.GaplessSequenceBuilder;
import io.github.leafmint.IdFormat;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Declares a bean for each sequence without gaps of the properties. */
@Configuration(proxyBeanMethods = false)
@Import(GaplessConfiguration.Registrar.class)
class GaplessConfiguration {
    private static final String PROPERTIES = "leafmint.gapless";

    /** The name of the bean that builds the sequences. */
    private static final String ALL = "leafmintGaplessSequences";

    @Bean(ALL)
    @Lazy
    AllSequences leafmintGaplessSequences(LeafmintProperties properties) {
        return new AllSequences(properties);
    }

    /** Registers a bean {@code <name>GaplessSequence} for each {@code leafmint.gapless.<name>}. */
    static class Registrar extends NamedBeansRegistrar {
        Registrar(Environment environment) {
            super(environment, PROPERTIES, GaplessSequence.class, ALL, "build");
        }
    }

    /** Builds the sequences, as their properties say. */
    static class AllSequences {
        private final LeafmintProperties properties;

        AllSequences(LeafmintProperties properties) {
            this.properties = properties;
        }

        GaplessSequence build(String name) {
            return RefusedPropertiesException.naming(
                    PROPERTIES + "." + name, () -> builder(name).build());
        }

        private GaplessSequenceBuilder builder(String name) {
            GaplessSequenceBuilder builder = GaplessSequence.named(name);
            LeafmintProperties.Gapless sequence = properties.gapless().get(name);
            // One that was configured when the application was compiled ahead of time may be gone now: the builder says
            // that it has no period.
            if (sequence == null) {
                return builder;
            }
            if (sequence.period() != null) {
                builder.period(sequence.period());
            }
            if (sequence.zone() != null) {
                builder.zone(sequence.zone());
            }
            if (sequence.key() != null) {
                builder.key(sequence.key());
            }
            if (sequence.format() != null) {
                builder.format(IdFormat.of(sequence.format()));
            }
            return builder.start(sequence.start());
        }
    }
}
