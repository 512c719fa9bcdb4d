package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.ids.TypedIds;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers a meter for each key of typed ids, with its number and its fingerprint, once the keys have been read. */
public final class IdKeyMeters implements MeterBinder {
    private static final Logger LOG = LoggerFactory.getLogger("io.github.leafmint");

    private final TypedIds ids;

    /**
     * Makes the meters of the keys of typed ids.
     *
     * @param ids the texts of typed ids
     */
    public IdKeyMeters(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        ids.onKeys(
                keys -> keys.fingerprints().forEach((number, fingerprint) -> register(registry, number, fingerprint)));
    }

    private static void register(MeterRegistry registry, int number, String fingerprint) {
        try {
            Gauge.builder("leafmint.id_keys.info", () -> 1)
                    .tags("fingerprint", fingerprint, "key", Integer.toString(number))
                    .description("1; the labels are the number and the fingerprint of a key of typed ids")
                    .register(registry);
        } catch (IllegalArgumentException conflict) {
            // A meter of the application must not keep an id from being written.
            LOG.warn("the meter of a key could not be registered: {}", conflict.getMessage());
        }
    }
}
