package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcTemplate;

class JdbcApplicationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_data_jdbc"))
            .withPropertyValues(
                    "leafmint.segment.series.line-number.period=forever",
                    "leafmint.segment.series.line-number.format=L-{number:3}");

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    static class Application {}

    @Test
    void aggregatesGetTheirIdsBeforeTheInsert() {
        application.run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS order_lines");
            database.execute("CREATE TABLE order_lines (id BIGINT PRIMARY KEY, ticket BIGINT, item VARCHAR(40))");
            var lines = context.getBean(JdbcAggregateTemplate.class);
            aRecordGetsTheNextIdOfItsTag(lines);
            aClassGetsTheNextIdOfItsTable(lines, context.getBean(SegmentGenerator.class));
            manyAreInsertedAtOnce(lines);
            anAssignedIdIsKept(lines);
            aSnowflakeIsMinted(lines);
            aTextOfANewAggregateGetsTheNextNumberOfItsSeries(lines);
            idsThatAreNoKeysAreMintedForNewAggregates(lines);
            anIdOfAnotherTypeIsRefused(lines);
            zeroIsNoId(lines);
            aChildWithoutItsIdIsRefused(lines, database);
        });
    }

    /** {@code {"id": 0}}: what a form that shows an example sends. */
    private static void zeroIsNoId(JdbcAggregateTemplate lines) {
        long rows = lines.count(Line.Tagged.class);
        Line.Tagged first = lines.save(new Line.Tagged(0L, "first"));
        Line.Tagged second = lines.save(new Line.Tagged(0L, "second"));
        assertThat(lines.findById(first.id(), Line.Tagged.class)).isEqualTo(first);
        assertThat(lines.findById(second.id(), Line.Tagged.class)).isEqualTo(second);
        assertThat(lines.insert(new Line.Tagged(0L, "third")).id()).isGreaterThan(second.id());
        assertThat(lines.save(new Line.Ticketed(0L, 0L, "")).ticket()).isPositive();
        assertThat(lines.save(new Line.Tagged(first.id(), "mint"))).isEqualTo(new Line.Tagged(first.id(), "mint"));
        assertThat(lines.count(Line.Tagged.class)).isEqualTo(rows + 4);
        assertThat(lines.findById(0L, Line.Tagged.class)).isNull();
    }

    private static void aChildWithoutItsIdIsRefused(JdbcAggregateTemplate baskets, JdbcTemplate database) {
        database.execute("DROP TABLE IF EXISTS items");
        database.execute("DROP TABLE IF EXISTS baskets");
        database.execute("CREATE TABLE baskets (id BIGINT PRIMARY KEY)");
        database.execute("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, baskets BIGINT)");
        assertThatThrownBy(() -> baskets.save(new Line.Basket(null, Set.of(new Line.Item(null)))))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(Line.Item.class.getName() + ".id in items is not set: set it with nextId()");
        assertThat(baskets.count(Line.Basket.class)).isZero();
        Line.Basket saved = baskets.save(new Line.Basket(null, Set.of(new Line.Item(70L))));
        assertThat(baskets.findById(saved.id(), Line.Basket.class)).isEqualTo(saved);
    }

    @Test
    void withoutAGeneratorOnlyWhatIsAnnotatedIsRefused() {
        application.withPropertyValues("leafmint.enabled=false").run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS order_lines");
            database.execute("CREATE TABLE order_lines (id BIGINT AUTO_INCREMENT PRIMARY KEY, item VARCHAR(40))");
            var lines = context.getBean(JdbcAggregateTemplate.class);
            assertThatThrownBy(() -> lines.save(new Line.Tagged(null, "tea")))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("SegmentGenerator for @SegmentId(\"line\"): leafmint.enabled is false");
            assertThat(lines.save(new Line.Assigned(null, "tea")).id()).isEqualTo(1);
        });
    }

    private static void aRecordGetsTheNextIdOfItsTag(JdbcAggregateTemplate lines) {
        Line.Tagged saved = lines.save(new Line.Tagged(null, "tea"));
        assertThat(saved).isEqualTo(new Line.Tagged(1L, "tea"));
        assertThat(lines.findById(1L, Line.Tagged.class)).isEqualTo(saved);
        assertThat(lines.save(new Line.Tagged(1L, "mint"))).isEqualTo(new Line.Tagged(1L, "mint"));
    }

    private static void aClassGetsTheNextIdOfItsTable(JdbcAggregateTemplate lines, SegmentGenerator ids) {
        ids.tag("order_lines").nextIds(50);
        assertThat(lines.save(new Line.NamedByTable()).id).isEqualTo(51);
    }

    private static void manyAreInsertedAtOnce(JdbcAggregateTemplate lines) {
        List<Line.Tagged> saved = lines.saveAll(
                Stream.generate(() -> new Line.Tagged(null, "tea")).limit(20).toList());
        assertThat(saved).extracting(Line.Tagged::id).startsWith(2L, 3L, 4L).endsWith(21L);
    }

    private static void anAssignedIdIsKept(JdbcAggregateTemplate lines) {
        assertThat(lines.insert(new Line.Tagged(7777L, "tea")).id()).isEqualTo(7777);
        assertThat(lines.insert(new Line.Assigned(7778L, "tea")).id()).isEqualTo(7778);
    }

    private static void aSnowflakeIsMinted(JdbcAggregateTemplate lines) {
        assertThat(lines.save(new Line.Snowflaked(null, "tea")).id()).isGreaterThan(1L << 40);
    }

    private static void aTextOfANewAggregateGetsTheNextNumberOfItsSeries(JdbcAggregateTemplate lines) {
        Line.Numbered saved = lines.save(new Line.Numbered(null, null));
        assertThat(saved.item()).isEqualTo("L-001");
        assertThat(lines.save(new Line.Numbered(saved.id(), null)).item()).isNull();
        assertThat(lines.save(new Line.Numbered(null, "own")).item()).isEqualTo("own");
        assertThatThrownBy(() -> lines.save(new Line.Unknown(null, "tea")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("set leafmint.segment.series.unknown.period");
    }

    private static void idsThatAreNoKeysAreMintedForNewAggregates(JdbcAggregateTemplate lines) {
        Line.Ticketed saved = lines.save(new Line.Ticketed(null, null, null));
        assertThat(saved.ticket()).isEqualTo(1);
        assertThat(Long.parseLong(saved.item())).isGreaterThan(1L << 40);
        assertThat(lines.findById(saved.id(), Line.Ticketed.class)).isEqualTo(saved);
        assertThat(lines.save(new Line.Ticketed(saved.id(), null, "tea")).ticket())
                .isNull();
        assertThat(lines.save(new Line.Ticketed(null, 70L, "own")))
                .returns(70L, Line.Ticketed::ticket)
                .returns("own", Line.Ticketed::item);
        assertThat(lines.save(new Line.Given(9000L, null)).ticket()).isEqualTo(2);
        Line.Ticketed inserted = lines.insert(new Line.Ticketed(9001L, null, null));
        assertThat(inserted.ticket()).isEqualTo(3);
        assertThat(lines.findById(9001L, Line.Ticketed.class)).isEqualTo(inserted);
    }

    private static void anIdOfAnotherTypeIsRefused(JdbcAggregateTemplate lines) {
        assertThatThrownBy(() -> lines.save(new Line.Wrapped(null, "tea")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessage(
                        "the id %s.id is a %s, which holds no id: make it a long, Long, int, Integer, String,"
                                + " BigInteger or TypedId",
                        Line.Wrapped.class.getName(), Line.Number.class.getName());
    }
}
