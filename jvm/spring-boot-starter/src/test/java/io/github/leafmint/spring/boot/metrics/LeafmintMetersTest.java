package io.github.leafmint.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.spring.boot.actuate.WebApplication;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

@Timeout(60)
class LeafmintMetersTest {
    private static final Pattern SAMPLE = Pattern.compile("(leafmint_\\w+)\\{(.*)} (\\S+)");
    private static final String KEY = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    private static final Pattern LABEL = Pattern.compile("(\\w+)=");

    @TempDir
    private Path directory;

    private static String memory() {
        return "memory://" + UUID.randomUUID();
    }

    private WebApplication start(String... properties) {
        var all = new ArrayList<>(List.of(
                "leafmint.segment.url=sqlite:///" + directory + "/ids.db",
                "leafmint.snowflake.url=local:" + directory + "/workers"));
        all.addAll(List.of(properties));
        return WebApplication.start(all.toArray(String[]::new));
    }

    private static Map<String, String> samples(String scrape) {
        var samples = new TreeMap<String, String>();
        SAMPLE.matcher(scrape)
                .results()
                .forEach(sample -> samples.put(sample.group(1) + "{" + sample.group(2) + "}", sample.group(3)));
        return samples;
    }

    @Test
    void aScrapeHasEveryMeterOfTheVectorsWithItsTypeLabelsAndMeaning() throws Exception {
        try (var shop = start("leafmint.id-keys=" + KEY)) {
            Tag order = shop.tag("order");
            order.nextIds(1000);
            shop.snowflakes().nextId();
            Thread.sleep(20);
            order.nextId();
            String scrape = shop.text("prometheus");
            var expected = new TreeSet<String>();
            for (JsonNode meter : vectors()) {
                if (Set.of("holder", "key", "read").contains(meter.get("of").textValue())) {
                    continue; // Those of a store are off by default: StoreMetersTest.
                }
                String name = meter.get("prometheus").textValue();
                assertThat(scrape)
                        .contains("# TYPE " + name + " " + meter.get("type").textValue() + "\n")
                        .contains("# HELP " + name + " " + meter.get("meaning").textValue() + "\n");
                var labels = new TreeSet<String>();
                meter.get("labels").forEach(label -> labels.add(label.textValue()));
                expected.add(name + labels);
            }
            var found = SAMPLE.matcher(scrape)
                    .results()
                    .map(sample -> sample.group(1)
                            + LABEL.matcher(sample.group(2))
                                    .results()
                                    .map(label -> label.group(1))
                                    .collect(Collectors.toCollection(TreeSet::new)))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(found).isEqualTo(expected);
            assertThat(samples(scrape))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "1001.0")
                    .containsEntry("leafmint_worker_id{generator=\"snowflakes\"}", "0.0");
            assertThat(scrape)
                    .contains("leafmint_id_keys_info{fingerprint=\"0173b469\",key=\"0\"} 1\n")
                    .contains("leafmint_info{generator=\"segments\",namespace=\"\",")
                    .contains("leafmint_info{generator=\"snowflakes\",namespace=\"default\",");
        }
    }

    private static JsonNode vectors() throws Exception {
        return new ObjectMapper().readTree(new File("../../tests/vectors/meters.json"));
    }

    @Test
    void tagsAppearAsTheyAreUsedAndOnlyAWorkerIdThatIsMissingIsNotANumber() {
        try (var shop = start()) {
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_worker_id{generator=\"snowflakes\"}", "NaN")
                    .noneSatisfy((name, value) -> assertThat(name).contains("tag="));
            Tag order = shop.tag("order");
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "0.0")
                    .containsEntry("leafmint_supply_seconds{generator=\"segments\",tag=\"order\"}", "0.0")
                    .containsEntry("leafmint_refill_average_seconds{generator=\"segments\",tag=\"order\"}", "0.0")
                    .containsEntry("leafmint_store_up{generator=\"segments\"}", "1.0")
                    .containsEntry("leafmint_horizon_seconds{generator=\"snowflakes\"}", "0.0")
                    .containsEntry("leafmint_heartbeat_average_seconds{generator=\"snowflakes\"}", "0.0");
            order.nextId();
            shop.tag("user").nextIds(2);
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "1.0")
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"user\"}", "2.0");
        }
    }

    /** An alert on a counter that is absent never fires. */
    @Test
    void aTagOfThePropertiesIsThereBeforeItsFirstId() {
        try (var shop = start("leafmint.segment.tags.order.create=true")) {
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "0.0")
                    .containsEntry("leafmint_refill_failures_total{generator=\"segments\",tag=\"order\"}", "0.0");
        }
    }

    @Configuration // its methods return the beans
    @EnableAutoConfiguration
    static class TwoGenerators {
        @Bean
        @Primary
        SegmentGenerator orders() {
            return SegmentGenerator.open(memory());
        }

        @Bean
        SegmentGenerator archive() {
            return SegmentGenerator.open(memory());
        }
    }

    @Test
    void severalGeneratorsAreToldApartByTheNamesOfTheirBeans() {
        try (var shop = WebApplication.start(TwoGenerators.class)) {
            shop.tag("order").nextId();
            shop.bean(TwoGenerators.class).archive().tag("order").nextIds(2);
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "1.0")
                    .containsEntry("leafmint_ids_issued_total{generator=\"archive\",tag=\"order\"}", "2.0");
        }
    }

    @Test
    void aClosedGeneratorShowsItsLastValuesAndItsMetersDoNotKeepItAlive() throws Exception {
        var registry = new SimpleMeterRegistry();
        WeakReference<SegmentGenerator> dropped = mintAndClose(registry);
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (dropped.get() != null) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            System.gc();
            Thread.sleep(20);
        }
        assertThat(registry.get("leafmint.ids.unused").gauge().value()).isNaN();
    }

    private static WeakReference<SegmentGenerator> mintAndClose(MeterRegistry registry) {
        var ids = SegmentGenerator.open(memory());
        new LeafmintMeters(Map.of("segments", ids), Map.of()).bindTo(registry);
        ids.tag("order").nextIds(3);
        ids.close();
        assertThat(registry.get("leafmint.ids.issued").functionCounter().count())
                .isEqualTo(3);
        assertThat(registry.get("leafmint.ids.unused").gauge().value()).isZero();
        return new WeakReference<>(ids);
    }

    /** Clients may choose them: of Leaf's interface over HTTP they are a part of the path. */
    @Test
    void namesThatAreInventedTakeBoundedMemoryAndHideNoTag() {
        var registry = new SimpleMeterRegistry();
        try (var ids = SegmentGenerator.open(memory() + "?auto_create=false")) {
            new LeafmintMeters(Map.of("segments", ids), Map.of()).bindTo(registry);
            ids.createTag("order").step(10).create();
            ids.createTag("late").step(10).create();
            ids.tag("order").nextId();
            Tag late = ids.tag("late");
            int most = 0;
            for (int tag = 0; tag < 6000; tag++) {
                ids.tag("typo-" + tag);
                if (tag % 50 == 0) {
                    most = Math.max(most, registry.getMeters().size());
                }
            }
            int ofATag = Figures.OF_TAGS.size();
            assertThat(most).isLessThanOrEqualTo(ofATag * (100 + 2));
            assertThat(registry.find("leafmint.ids.issued").tag("tag", "late").meters())
                    .isEmpty();
            late.nextIds(2);
            ids.tag("typo"); // Statistics are remembered for a moment, until there is another tag.
            assertThat(issued(registry, "order")).isEqualTo(1);
            assertThat(issued(registry, "late")).isEqualTo(2);
        }
    }

    private static double issued(MeterRegistry registry, String tag) {
        return registry.get("leafmint.ids.issued")
                .tag("tag", tag)
                .functionCounter()
                .count();
    }

    @Test
    void aScrapeAsksAGeneratorOnce() {
        var registry = new SimpleMeterRegistry();
        var asked = new AtomicInteger();
        var nanoTime = new AtomicLong();
        var recent =
                new LeafmintMeters.RecentStats<String, Integer>(generator -> asked.incrementAndGet(), nanoTime::get);
        var figure = new Figures.Figure<Integer>("asked", false, false, "how often", Integer::doubleValue);
        for (String tag : List.of("a", "b", "c")) {
            figure.register(registry, Tags.of("tag", tag), "generator", recent::read);
        }
        for (int scrape = 1; scrape <= 2; scrape++) {
            for (Gauge gauge : registry.find("asked").gauges()) {
                assertThat(gauge.value()).isEqualTo(scrape);
                nanoTime.addAndGet(1_000_000);
            }
            nanoTime.addAndGet(1_000_000_000);
        }
    }

    @Test
    void aMeterOfTheApplicationWithTheSameNameKeepsNoTagFromMinting() {
        var registry = new SimpleMeterRegistry();
        try (var ids = SegmentGenerator.open(memory())) {
            registry.timer("leafmint.ids.issued", "generator", "segments", "tag", "order");
            new LeafmintMeters(Map.of("segments", ids), Map.of()).bindTo(registry);
            assertThat(ids.tag("order").nextId()).isEqualTo(1);
        }
    }

    /** A service with a tag for each customer must not fill the database of the metrics. */
    @Test
    void tagsBeyondTheFirstShareMetersWhoseCountersNeverFall() {
        var registry = new SimpleMeterRegistry();
        try (var ids = SegmentGenerator.open(memory() + "?default_step=10&max_step=10")) {
            new LeafmintMeters(Map.of("segments", ids), Map.of(), 2).bindTo(registry);
            for (String tag : List.of("first", "second")) {
                ids.tag(tag).nextId();
                assertThat(issued(registry, tag)).isEqualTo(1);
            }
            double last = 0;
            for (int tag = 1; tag <= 20; tag++) {
                ids.tag("customer-" + tag).nextIds(tag);
                assertThat(issued(registry, "first")).isEqualTo(1);
                double shared = issued(registry, "other");
                assertThat(shared).isGreaterThan(last).isEqualTo(tag * (tag + 1) / 2);
                last = shared;
            }
            ids.tag("other").nextId();
            assertThat(issued(registry, "other")).isEqualTo(211);
            assertThat(registry.find("leafmint.ids.issued").meters()).hasSize(3);
            assertThat(registry.get("leafmint.ids.highest_leased")
                            .tag("tag", "other")
                            .gauge()
                            .value())
                    .isEqualTo(ids.tag("customer-20").stats().highestLeased());
        }
    }

    @Test
    void timesAreInTheUnitOfTheRegistry() {
        var registry = new SimpleMeterRegistry() {
            @Override
            protected TimeUnit getBaseTimeUnit() {
                return TimeUnit.MILLISECONDS;
            }
        };
        try (var ids = SegmentGenerator.open(memory())) {
            new LeafmintMeters(Map.of("segments", ids), Map.of()).bindTo(registry);
            ids.tag("order").nextId();
            while (ids.tag("order").stats().refillDuration() == null) {
                Thread.onSpinWait(); // The id can come before its lease is counted.
            }
            TimeGauge average = registry.get("leafmint.refill.average").timeGauge();
            assertThat(average.getId().getBaseUnit()).isEqualTo("milliseconds");
            double seconds = ids.tag("order").stats().refillDuration().toNanos() / 1e9;
            assertThat(average.value(TimeUnit.SECONDS)).isEqualTo(seconds, within(1e-6));
        }
    }
}
