package io.github.leafmint.spring.boot;

import io.github.leafmint.IdFormat;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesBuilder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Declares a bean for each series of the properties, if there is a segment generator. */
@Configuration(proxyBeanMethods = false)
@Conditional(SeriesConfiguration.OnSegmentGenerator.class)
@Import(SeriesConfiguration.Registrar.class)
class SeriesConfiguration {
    /** The name of the bean that opens the series. */
    private static final String ALL = "leafmintSeries";

    /** Lazy: an application with several generators, and none that is primary, may have no series to inject. */
    @Bean(ALL)
    @Lazy
    AllSeries leafmintSeries(SegmentGenerator ids, LeafmintProperties properties) {
        return new AllSeries(ids, properties);
    }

    /** Registers a bean {@code <name>Series} for each {@code leafmint.segment.series.<name>}. */
    static class Registrar extends NamedBeansRegistrar {
        Registrar(Environment environment) {
            super(environment, "leafmint.segment.series", Series.class, ALL, "open");
        }
    }

    /** Opens the series, as their properties say. */
    static class AllSeries {
        private final SegmentGenerator ids;
        private final LeafmintProperties properties;

        AllSeries(SegmentGenerator ids, LeafmintProperties properties) {
            this.ids = ids;
            this.properties = properties;
        }

        Series open(String name) {
            return RefusedPropertiesException.naming(
                    "leafmint.segment.series." + name, () -> builder(name).open());
        }

        private SeriesBuilder builder(String name) {
            SeriesBuilder builder = ids.series(name);
            LeafmintProperties.NumberSeries series =
                    properties.segment().series().get(name);
            // A series that was configured when the application was compiled ahead of time may be gone now: the builder
            // says that it has no period.
            if (series == null) {
                return builder;
            }
            if (series.period() != null) {
                builder.period(series.period());
            }
            if (series.zone() != null) {
                builder.zone(series.zone());
            }
            if (series.key() != null) {
                builder.key(series.key());
            }
            if (series.format() != null) {
                builder.format(IdFormat.of(series.format()));
            }
            return builder.step(series.step());
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
