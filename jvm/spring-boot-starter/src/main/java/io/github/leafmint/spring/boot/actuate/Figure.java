package io.github.leafmint.spring.boot.actuate;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One of the figures of {@code stats()} as a meter.
 *
 * @param <S> the statistics that it is part of
 * @param name the name of the meter
 * @param isCounter whether it only grows
 * @param unit the base unit; {@code null} for none
 * @param meaning the description
 * @param value reads it; not a number if there is no value now
 */
record Figure<S>(String name, boolean isCounter, String unit, String meaning, ToDoubleFunction<S> value) {
    /** Registers the meter, which holds the generator weakly. {@code read} must not hold it. */
    <G> Meter register(MeterRegistry registry, Tags tags, G generator, Function<G, S> read) {
        ToDoubleFunction<G> number = each -> {
            S stats = read.apply(each);
            return stats == null ? Double.NaN : value.applyAsDouble(stats);
        };
        return isCounter
                ? FunctionCounter.builder(name, generator, number)
                        .tags(tags)
                        .baseUnit(unit)
                        .description(meaning)
                        .register(registry)
                : Gauge.builder(name, generator, number)
                        .tags(tags)
                        .baseUnit(unit)
                        .description(meaning)
                        .register(registry);
    }
}
