package io.github.leafmint.spring.boot.metrics;

import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.SnowflakeCheck;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Registers the meters of what the holders of worker ids say, with the names, units and tags of Python's metrics.
 *
 * <p>A holder is asked in the background while meters are read, once per interval at most. Meters hold their generator
 * weakly, and a closed one shows none.
 */
public final class HolderMeters implements MeterBinder {
    private final List<Holder> holders;

    /**
     * Makes the meters of the holders of generators, each under the name that they show.
     *
     * @param snowflakes the generators
     * @param every the interval
     */
    public HolderMeters(Map<String, SnowflakeGenerator> snowflakes, Duration every) {
        holders = snowflakes.entrySet().stream()
                .map(each -> new Holder(
                        each.getKey(), new WeakReference<>(each.getValue()), new RecentCheck(every, System::nanoTime)))
                .toList();
    }

    private record Holder(String name, WeakReference<SnowflakeGenerator> generator, RecentCheck recent) {
        void bindTo(MeterRegistry registry) {
            SnowflakeGenerator flakes = generator.get();
            if (flakes != null) {
                for (Figures.Figure<SnowflakeCheck> figure : Figures.ofHolders()) {
                    figure.registerSum(registry, Tags.of("generator", name), flakes, this::read);
                }
            }
        }

        private List<SnowflakeCheck> read(SnowflakeGenerator flakes) {
            return Optional.ofNullable(recent.read(flakes)).stream().toList();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        holders.forEach(holder -> holder.bindTo(registry));
        if (!holders.isEmpty()) {
            // Micrometer holds the object weakly, and the function strongly.
            Figures.readAge().registerSum(registry, Tags.of("part", "holder"), this, same -> ages());
        }
    }

    private List<Duration> ages() {
        return holders.stream()
                .filter(holder -> holder.generator().get() != null)
                .map(holder -> holder.recent().age())
                .toList();
    }
}
