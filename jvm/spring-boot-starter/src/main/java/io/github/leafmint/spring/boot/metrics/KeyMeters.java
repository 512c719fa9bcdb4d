package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.KeyUse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Registers the meters of the fullest keys of an audit, with the names, units and tags of Python's metrics. */
public final class KeyMeters implements MeterBinder {
    private final Supplier<@Nullable AuditReport> report;
    private final Supplier<Duration> age;
    private final int maxKeys;

    /**
     * Makes the meters of the keys of a report.
     *
     * @param report returns the last report, or {@code null} if there is none yet, and begins the next one when that is
     *     old; it is called at each scrape and must not wait
     * @param age returns the time since that report was read
     * @param maxKeys how many keys have meters: the fullest ones
     */
    public KeyMeters(Supplier<@Nullable AuditReport> report, Supplier<Duration> age, int maxKeys) {
        this.report = report;
        this.age = age;
        this.maxKeys = maxKeys;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge keys = MultiGauge.builder("leafmint.key.used")
                .description("share of the numbers of a key that is used, from 0 to 1")
                .baseUnit("ratio")
                .register(registry);
        var shown = new AtomicReference<AuditReport>();
        // Micrometer holds the object weakly, and the function strongly.
        Figures.readAge().register(registry, Tags.of("part", "keys"), keys, same -> {
            AuditReport last = report.get();
            if (last != null && shown.getAndSet(last) != last) {
                show(keys, last);
            }
            return age.get();
        });
    }

    private void show(MultiGauge rows, AuditReport last) {
        rows.register(
                last.keys().stream()
                        .sorted(Comparator.comparingDouble(KeyMeters::used).reversed())
                        .limit(maxKeys)
                        .map(key -> MultiGauge.Row.of(Tags.of("table", key.table(), "column", key.column()), used(key)))
                        .toList(),
                true);
    }

    private static double used(KeyUse key) {
        var largest = new BigDecimal(key.largest().max(BigInteger.ONE));
        double ratio = new BigDecimal(key.used())
                .divide(largest, MathContext.DECIMAL64)
                .doubleValue();
        return Math.min(Math.max(ratio, 0), 1);
    }
}
