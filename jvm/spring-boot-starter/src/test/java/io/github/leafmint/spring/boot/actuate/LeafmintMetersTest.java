package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
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
        try (var shop = start()) {
            BizTag order = shop.tag("order");
            order.nextIds(1000);
            shop.snowflakes().nextId();
            Thread.sleep(20);
            order.nextId();
            String scrape = shop.text("prometheus");
            var expected = new TreeSet<String>();
            for (JsonNode meter : vectors()) {
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
        }
    }

    private static JsonNode vectors() throws Exception {
        return new ObjectMapper().readTree(new File("../../tests/vectors/meters.json"));
    }

    @Test
    void tagsAppearAsTheyAreUsedAndWhatHasNoValueIsNotANumber() {
        try (var shop = start()) {
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_worker_id{generator=\"snowflakes\"}", "NaN")
                    .noneSatisfy((name, value) -> assertThat(name).contains("tag="));
            BizTag order = shop.tag("order");
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "0.0")
                    .containsEntry("leafmint_supply_seconds{generator=\"segments\",tag=\"order\"}", "NaN")
                    .containsEntry("leafmint_refill_duration_seconds{generator=\"segments\",tag=\"order\"}", "NaN");
            order.nextId();
            shop.tag("user").nextIds(2);
            assertThat(samples(shop.text("prometheus")))
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"order\"}", "1.0")
                    .containsEntry("leafmint_ids_issued_total{generator=\"segments\",tag=\"user\"}", "2.0");
        }
    }

    @Configuration(proxyBeanMethods = false)
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
            shop.bean(TwoGenerators.class);
            shop.bean(Generators.class)
                    .segments()
                    .get("archive")
                    .bizTag("order")
                    .nextIds(2);
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
        new LeafmintMeters(new Generators(Map.of("segments", ids), Map.of())).bindTo(registry);
        ids.bizTag("order").nextIds(3);
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
            new LeafmintMeters(new Generators(Map.of("segments", ids), Map.of())).bindTo(registry);
            ids.createTag("order", 10);
            ids.createTag("late", 10);
            ids.bizTag("order").nextId();
            BizTag late = ids.bizTag("late");
            int most = 0;
            for (int tag = 0; tag < 6000; tag++) {
                ids.bizTag("typo-" + tag);
                if (tag % 50 == 0) {
                    most = Math.max(most, registry.getMeters().size());
                }
            }
            int ofATag = Figures.OF_TAGS.size();
            assertThat(most).isLessThanOrEqualTo(ofATag * (LeafmintMeters.TagMeters.MOST_WITHOUT_LEASE + 2));
            assertThat(registry.find("leafmint.ids.issued").tag("tag", "late").meters())
                    .isEmpty();
            late.nextIds(2);
            ids.bizTag("typo"); // Statistics are remembered for a moment, until there is another tag.
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
        var figure = new Figures.Figure<Integer>("asked", false, null, "how often", Integer::doubleValue);
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
            new LeafmintMeters(new Generators(Map.of("segments", ids), Map.of())).bindTo(registry);
            assertThat(ids.bizTag("order").nextId()).isEqualTo(1);
        }
    }
}
