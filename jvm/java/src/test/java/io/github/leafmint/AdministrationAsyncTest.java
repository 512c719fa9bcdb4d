package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every call that looks at a store or holder, or changes it, has a future. */
@Timeout(120)
class AdministrationAsyncTest {
    @TempDir
    Path directory;

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        soon(future.handle((answer, failure) -> answer));
        return assertThrows(CompletionException.class, future::join).getCause();
    }

    @Test
    void theFuturesOfASegmentGeneratorAnswerAsItsCallsDo() throws Exception {
        try (var ids = SegmentGenerator.open("sqlite:///" + directory.resolve("ids.db"))) {
            soon(ids.initSchemaAsync());
            assertTrue(soon(ids.createTag("order").start(500).createAsync()));
            assertFalse(soon(ids.createTag("order").start(900).createAsync()));
            soon(ids.setTag("order").step(200).description("orders").applyAsync());
            assertEquals(7000, soon(ids.raiseTagAboveAsync("order", 6999)));
            assertEquals(8001, soon(ids.raiseTagAboveAsync("order", 8000)));
            assertEquals(ids.listTags(), soon(ids.listTagsAsync()));
            assertEquals(200, ids.listTags().get(0).step());
            assertEquals(ids.listSeries(), soon(ids.listSeriesAsync()));
            assertEquals(ids.listGapless(), soon(ids.listGaplessAsync()));
            assertEquals(ids.check().tags(), soon(ids.checkAsync()).tags());
            assertEquals(3, soon(ids.tag("order").nextRangeAsync(3)).size());
        }
    }

    @Test
    void theFuturesOfASnowflakeGeneratorAnswerAsItsCallsDo() throws Exception {
        try (var flakes = SnowflakeGenerator.open(Holders.local(directory))) {
            flakes.nextId();
            assertEquals(
                    flakes.listWorkers().size(), soon(flakes.listWorkersAsync()).size());
            assertEquals(flakes.check().workers(), soon(flakes.checkAsync()).workers());
            assertFalse(soon(flakes.releaseWorkerAsync(flakes.workerId().orElseThrow() + 1, false)));
            Instant past = Instant.parse("2025-01-01T00:00:00Z");
            assertEquals(past, flakes.decode(soon(flakes.backfillAsync(past))).timestamp());
            assertEquals(2, soon(flakes.backfillAsync(new long[] {past.toEpochMilli(), past.toEpochMilli()})).length);
        }
    }

    @Test
    void anAuditIsAFuture() throws Exception {
        Path file = directory.resolve("shop.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
        }
        assertTrue(soon(Audit.of("sqlite:///" + file).runAsync()).ok());
        assertInstanceOf(
                InvalidConfigException.class,
                failureOf(Audit.of("oracle://host/db").runAsync()));
    }

    @Test
    void aThousandCallsWaitWithoutAThreadEachUntilTheFileIsFree() throws Exception {
        Path file = directory.resolve("locked.db");
        try (var ids = SegmentGenerator.open("sqlite:///" + file + "?timeout=50s&connect_timeout=20s");
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            ids.createTag("order").create();
            statement.execute("BEGIN EXCLUSIVE");
            List<CompletableFuture<Boolean>> waiting =
                    new ArrayList<>(Stream.generate(() -> ids.createTag("late").createAsync())
                            .limit(1000)
                            .toList());
            waiting.get(999).cancel(false);
            long ours = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("leafmint"))
                    .count();
            assertTrue(ours < 10, ours + " threads");
            assertEquals(1, waiting.stream().filter(CompletableFuture::isDone).count());
            statement.execute("COMMIT");
            waiting.remove(999);
            soon(CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)));
            assertTrue(waiting.stream().filter(CompletableFuture::join).count() <= 1);
        }
    }

    @Test
    void aFailureIsThatOfTheFuture() throws Exception {
        SegmentGenerator ids = SegmentGenerator.open("sqlite:///" + directory.resolve("ids.db"));
        assertInstanceOf(
                InvalidArgumentException.class,
                failureOf(ids.createTag("order").step(0).createAsync()));
        assertInstanceOf(
                InvalidArgumentException.class, failureOf(ids.setTag("order").applyAsync()));
        assertInstanceOf(InvalidArgumentException.class, failureOf(ids.raiseTagAboveAsync("\ud800", 1)));
        assertThrows(NullPointerException.class, () -> ids.raiseTagAboveAsync(null, 1));
        ids.close();
        assertInstanceOf(ClosedException.class, failureOf(ids.listTagsAsync()));
        try (var away = SegmentGenerator.builder("mysql://127.0.0.1:1/none")
                .timeout(Duration.ofMillis(100))
                .open()) {
            assertInstanceOf(StoreUnavailableException.class, failureOf(away.checkAsync()));
        }
    }
}
