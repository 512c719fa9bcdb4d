package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.gallery.Gallery;
import io.github.leafmint.gallery.Row;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactory;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs apart from the other tests: see the build. */
@Gallery("Keys in Java")
class R2dbcApplicationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.reactiveProperties())
            .withPropertyValues(
                    "leafmint.segment.series.line-number.period=forever",
                    "leafmint.segment.series.line-number.format=L-{number:3}");

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    static class Application {}

    @Row(
            library = "spring-data-r2dbc",
            what = "`save`, `insert` of an entity without an id, or with 0; of many at once",
            outcome = "right",
            meaning = "a row each, and no thread waits; `save` of an id that no row has is refused")
    void entitiesGetTheirIdsWithoutAThreadThatWaits() {
        application.run(context -> {
            var lines = context.getBean(R2dbcEntityTemplate.class);
            execute(lines, "DROP TABLE IF EXISTS order_lines");
            execute(lines, "CREATE TABLE order_lines (id BIGINT PRIMARY KEY, ticket BIGINT, item VARCHAR(40))");
            aRecordGetsTheNextIdOfItsTag(lines);
            aThreadThatSubscribesIsFreeWhileNoIdIsInHand(context);
            manyAreSavedAtOnce(lines);
            anAssignedIdIsKept(lines);
            aClassGetsTheNextIdOfItsTable(lines, context.getBean(SegmentGenerator.class));
            aSnowflakeIsMinted(lines);
            aTextOfANewEntityGetsTheNextNumberOfItsSeries(lines);
            idsThatAreNoKeysAreMintedForNewEntities(lines);
            zeroIsNoId(lines);
        });
    }

    private static void execute(R2dbcEntityTemplate lines, String statement) {
        lines.getDatabaseClient().sql(statement).then().block();
    }

    private static void aRecordGetsTheNextIdOfItsTag(R2dbcEntityTemplate lines) {
        Line.Tagged saved = lines.insert(new Line.Tagged(null, "tea")).block();
        assertThat(saved).isEqualTo(new Line.Tagged(1L, "tea"));
        assertThat(lines.update(new Line.Tagged(1L, "mint")).block()).isEqualTo(new Line.Tagged(1L, "mint"));
    }

    /** The database accepts the connection, and never answers. */
    private static void aThreadThatSubscribesIsFreeWhileNoIdIsInHand(ApplicationContext context) throws Exception {
        try (var silent = new ServerSocket(0);
                var ids = SegmentGenerator.builder("mysql://root@127.0.0.1:" + silent.getLocalPort() + "/leafmint")
                        .timeout(Duration.ofSeconds(1))
                        .open()) {
            var beans = new StaticListableBeanFactory(Map.of("ids", ids));
            var sources = new IdSources(
                    beans.getBeanProvider(SegmentGenerator.class),
                    beans.getBeanProvider(SnowflakeGenerator.class),
                    beans);
            var callback = new LeafmintR2dbcAutoConfiguration.R2dbcIdCallback(
                    new EntityIds(sources, context.getBeanProvider(R2dbcMappingContext.class)));
            var failure = new CompletableFuture<Throwable>();
            Mono.from(callback.onBeforeConvert(new Line.Tagged(null, "tea"), SqlIdentifier.quoted("order_lines")))
                    .subscribe(saved -> {}, failure::complete);
            assertThat(failure).isNotDone();
            assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(LeafmintException.class);
        }
    }

    private static void manyAreSavedAtOnce(R2dbcEntityTemplate lines) {
        List<Line.Tagged> saved = Flux.fromStream(IntStream.range(0, 20).boxed())
                .flatMap(number -> lines.insert(new Line.Tagged(null, "tea")))
                .collectList()
                .block();
        assertThat(saved).extracting(Line.Tagged::id).doesNotContainNull().doesNotHaveDuplicates();
    }

    private static void anAssignedIdIsKept(R2dbcEntityTemplate lines) {
        assertThat(lines.insert(new Line.Tagged(7777L, "tea")).block().id()).isEqualTo(7777);
    }

    private static void aClassGetsTheNextIdOfItsTable(R2dbcEntityTemplate lines, SegmentGenerator ids) {
        ids.tag("order_lines").nextIds(50);
        assertThat(lines.insert(new Line.NamedByTable()).block().id).isEqualTo(51);
    }

    private static void aTextOfANewEntityGetsTheNextNumberOfItsSeries(R2dbcEntityTemplate lines) {
        Line.Numbered saved = lines.insert(new Line.Numbered(null, null)).block();
        assertThat(saved.item()).isEqualTo("L-001");
        assertThat(saved.id()).isPositive();
    }

    private static void idsThatAreNoKeysAreMintedForNewEntities(R2dbcEntityTemplate lines) {
        Line.Ticketed saved = lines.insert(new Line.Ticketed(null, null, null)).block();
        assertThat(saved.ticket()).isEqualTo(1);
        assertThat(Long.parseLong(saved.item())).isGreaterThan(1L << 40);
        assertThat(lines.update(new Line.Ticketed(saved.id(), null, "tea"))
                        .block()
                        .ticket())
                .isNull();
        assertThat(lines.insert(new Line.Ticketed(null, 70L, "own")).block().ticket())
                .isEqualTo(70);
    }

    /** {@code {"id": 0}}: what a form that shows an example sends. */
    private static void zeroIsNoId(R2dbcEntityTemplate lines) {
        var repository = new R2dbcRepositoryFactory(lines).getRepository(Lines.class);
        Line.Tagged first = repository.save(new Line.Tagged(0L, "first")).block();
        Line.Tagged second = repository.save(new Line.Tagged(0L, "second")).block();
        assertThat(repository.findById(first.id()).block()).isEqualTo(first);
        assertThat(repository.findById(second.id()).block()).isEqualTo(second);
        assertThat(lines.insert(new Line.Tagged(0L, "third")).block().id()).isGreaterThan(second.id());
        assertThat(repository.findById(0L).block()).isNull();
        assertThatThrownBy(() ->
                        repository.save(new Line.Tagged(9_000_000L, "sage")).block())
                .hasMessageContaining("Row with Id [9000000] does not exist");
    }

    interface Lines extends ReactiveCrudRepository<Line.Tagged, Long> {}

    private static void aSnowflakeIsMinted(R2dbcEntityTemplate lines) {
        Line.Snowflaked saved = lines.insert(new Line.Snowflaked(null, "tea")).block();
        assertThat(saved.id()).isGreaterThan(1L << 40);
    }
}
