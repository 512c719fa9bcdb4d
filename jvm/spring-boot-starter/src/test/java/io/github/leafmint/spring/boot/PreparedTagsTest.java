package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.status.TagInfo;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PreparedTagsTest {
    @TempDir
    private Path directory;

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withPropertyValues(
                        "leafmint.segment.url=sqlite:///" + directory.resolve("ids.db"),
                        "leafmint.segment.default-step=70",
                        "leafmint.segment.tags.order.create=true",
                        "leafmint.segment.tags.order.step=50",
                        "leafmint.segment.tags.order.start=9000",
                        "leafmint.segment.tags.order.description=orders of the shop",
                        "leafmint.segment.tags.item.create=true",
                        "leafmint.segment.tags.other.gene-bits=0");
    }

    @Test
    void tagsAreCreatedAtStartWithTheirProperties() {
        application().run(context -> assertThat(
                        context.getBean(SegmentGenerator.class).listTags())
                .extracting(TagInfo::name, TagInfo::maxId, TagInfo::step, TagInfo::description)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("item", 1L, 70L, ""),
                        org.assertj.core.groups.Tuple.tuple("order", 9000L, 50L, "orders of the shop")));
    }

    @Test
    void anEagerGeneratorFindsTheTagsThatTheStartCreates() {
        application()
                .withPropertyValues("leafmint.segment.eager=true", "leafmint.segment.auto-create=false")
                .withPropertyValues("leafmint.segment.init-schema=true", "leafmint.segment.tags.other.create=true")
                .run(context -> {
                    SegmentGenerator ids = context.getBean(SegmentGenerator.class);
                    assertThat(ids.stats().tags()).containsOnlyKeys("item", "order", "other");
                    assertThat(ids.tag("order").nextId()).isEqualTo(9000);
                });
    }
}
