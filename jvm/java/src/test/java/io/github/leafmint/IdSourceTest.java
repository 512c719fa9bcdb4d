package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Futures of ids, over a file that another process locks and a worker id that another generator has. */
@Timeout(60)
class IdSourceTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    /** Time limit in seconds. The promise is tens of milliseconds; the rest is for a busy machine. */
    private static final long SOON = 20;

    private Path file;
    private SegmentGenerator ids;
    private Tag order;
    private Tag genes;
    private SnowflakeGenerator holder;
    private SnowflakeGenerator flakes;

    @BeforeEach
    void open(@TempDir Path directory) {
        file = directory.resolve("ids.db");
        ids = SegmentGenerator.open("sqlite:///" + file + "?timeout=30s&connect_timeout=100ms");
        ids.tag("another").nextId(); // so that the file exists
        order = ids.tag("order");
        genes = ids.tag("genes", new TagOptions().geneBits(4));
        String local =
                Holders.local(directory) + "?timeout=30s&workers=0&layout=timestamp:41,worker:10,sequence:2,gene:4";
        holder = SnowflakeGenerator.builder(local).eager(true).open();
        flakes = SnowflakeGenerator.open(local);
    }

    @AfterEach
    void close() {
        ids.close();
        flakes.close();
        holder.close();
    }

    private static <T> List<CompletableFuture<T>> begin(int count, Supplier<CompletableFuture<T>> call) {
        return Stream.generate(call).limit(count).toList();
    }

    /** Begins one call of each kind that waits. */
    private List<CompletableFuture<?>> beginAll() {
        return List.of(
                order.nextIdAsync(),
                order.nextIdAsync(LONG),
                order.nextIdsAsync(10),
                order.nextIdsAsync(10, LONG),
                genes.nextIdWithGeneAsync(3),
                genes.nextIdWithGeneAsync(3, LONG),
                flakes.nextIdAsync(),
                flakes.nextIdAsync(LONG),
                flakes.nextIdsAsync(10),
                flakes.nextIdsAsync(10, LONG),
                flakes.nextIdWithGeneAsync(3),
                flakes.nextIdWithGeneAsync(3, LONG));
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(SOON, TimeUnit.SECONDS);
    }

    private static void allSoon(List<? extends CompletableFuture<?>> futures) throws Exception {
        soon(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)));
    }

    private static long doneOf(List<? extends CompletableFuture<?>> futures) {
        return futures.stream().filter(CompletableFuture::isDone).count();
    }

    private static <T> int differentOf(List<CompletableFuture<T>> futures) {
        return new HashSet<>(futures.stream().map(CompletableFuture::join).toList()).size();
    }

    /** Returns what a dependent stage sees. */
    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        soon(future.handle((id, failure) -> id));
        return assertThrows(CompletionException.class, future::join).getCause();
    }

    private static long ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leafmint"))
                .count();
    }

    private static boolean isWaking() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("leafmint-waker"));
    }

    private static void awaitSoon(BooleanSupplier condition) throws InterruptedException {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - began < SOON * 1_000_000_000);
            Thread.sleep(10);
        }
    }

    @Test
    void anIdInHandGivesACompletedFutureWithoutAWait() throws Exception {
        assertEquals(1, soon(order.nextIdAsync()));
        soon(genes.nextIdWithGeneAsync(5));
        long waits = order.stats().waits() + genes.stats().waits();
        assertEquals(2, order.nextIdAsync().getNow(null));
        assertEquals(3, order.nextIdAsync(LONG).getNow(null));
        assertArrayEquals(new long[] {4, 5}, order.nextIdsAsync(2).getNow(null));
        assertArrayEquals(new long[] {6, 7}, order.nextIdsAsync(2, LONG).getNow(null));
        assertArrayEquals(new long[0], order.nextIdsAsync(0).getNow(null));
        assertEquals(5, genes.nextIdWithGeneAsync(5).getNow(null) % 16);
        assertEquals(waits, order.stats().waits() + genes.stats().waits());
        assertEquals(0, holder.nextIdAsync().getNow(null) % 16);
        assertEquals(7, soon(holder.nextIdWithGeneAsync(7)) % 16);
    }

    @Test
    void twoThousandCallsWaitForALockedFileWithoutAThreadEachAndAreServedOnceItIsFree() throws Exception {
        long threads = ourThreads();
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<Long>> futures = begin(2000, () -> order.nextIdAsync(LONG));
            Thread.sleep(300);
            assertEquals(0, doneOf(futures));
            assertTrue(
                    ourThreads() <= threads + 1,
                    () -> "" + Thread.getAllStackTraces().keySet());
            lock.release();
            allSoon(futures);
            assertEquals(2000, differentOf(futures));
        }
    }

    @Test
    void everyKindOfCallWaitsAndIsServed() throws Exception {
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<?>> futures = beginAll();
            Thread.sleep(200);
            assertEquals(0, doneOf(futures));
            lock.release();
            holder.close();
            allSoon(futures);
            assertEquals(3L, (long) futures.get(4).join() % 16);
            assertEquals(10, ((long[]) futures.get(2).join()).length);
            assertEquals(10, ((long[]) futures.get(8).join()).length);
            assertEquals(3L, (long) futures.get(10).join() % 16);
        }
    }

    @Test
    void callsThatWaitForTheirTickAreServedWhenItComes() throws Exception {
        holder.nextId();
        long began = System.nanoTime();
        List<CompletableFuture<Long>> futures = begin(400, holder::nextIdAsync); // four in a millisecond
        CompletableFuture<long[]> batch = holder.nextIdsAsync(40);
        allSoon(futures);
        assertEquals(400, differentOf(futures));
        assertTrue(System.nanoTime() - began > 50_000_000);
        assertEquals(40, soon(batch).length);
    }

    @Test
    void aTimeoutCompletesTheFutureWithTheExceptionOfTheCall() throws Exception {
        try (var lock = new WriteLock(file)) {
            long began = System.nanoTime();
            var shortly = Duration.ofMillis(300);
            CompletableFuture<Long> segment = order.nextIdAsync(shortly);
            CompletableFuture<long[]> batch = order.nextIdsAsync(5, shortly);
            CompletableFuture<Long> snowflake = flakes.nextIdAsync(shortly);
            CompletableFuture<Long> none = order.nextIdAsync(Duration.ZERO);
            assertInstanceOf(SegmentUnavailableException.class, failureOf(none));
            assertInstanceOf(SegmentUnavailableException.class, failureOf(segment));
            assertInstanceOf(SegmentUnavailableException.class, failureOf(batch));
            assertInstanceOf(WorkerIdUnavailableException.class, failureOf(snowflake));
            long took = System.nanoTime() - began;
            assertTrue(took > 290_000_000 && took < SOON * 1_000_000_000, took + " ns");
        }
    }

    @Test
    void aFailureIsTheExceptionOfTheCallAndIsNeverThrownByTheMethod() throws Exception {
        assertInstanceOf(InvalidArgumentException.class, failureOf(order.nextIdAsync(Duration.ofSeconds(-1))));
        assertInstanceOf(InvalidArgumentException.class, failureOf(order.nextIdWithGeneAsync(1)));
        assertInstanceOf(InvalidArgumentException.class, failureOf(genes.nextIdAsync()));
        assertInstanceOf(InvalidArgumentException.class, failureOf(order.nextIdsAsync(-1)));
        assertInstanceOf(InvalidArgumentException.class, failureOf(flakes.nextIdsAsync(1L << 40)));
        assertInstanceOf(InvalidArgumentException.class, failureOf(flakes.nextIdWithGeneAsync(16)));
        try (var strict = SegmentGenerator.open("sqlite:///" + file + "?auto_create=false")) {
            assertInstanceOf(
                    UnknownTagException.class, failureOf(strict.tag("unknown").nextIdAsync()));
        }
        assertThrows(NullPointerException.class, () -> order.nextIdAsync(null));
    }

    @Test
    void aCloseCompletesEveryKindOfCall() throws Exception {
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<?>> futures = beginAll();
            Thread.sleep(100);
            assertEquals(0, doneOf(futures));
            CompletableFuture<Void> closing = CompletableFuture.runAsync(ids::close); // waits for the file
            flakes.close();
            for (CompletableFuture<?> future : futures) {
                assertInstanceOf(ClosedException.class, failureOf(future));
            }
            lock.release();
            soon(closing);
            assertInstanceOf(ClosedException.class, failureOf(order.nextIdAsync()));
            assertInstanceOf(ClosedException.class, failureOf(flakes.nextIdAsync()));
        }
    }

    @Test
    void aFutureThatIsCancelledOrCompletedByItsUserTakesNoIdAndNothingWaitsForIt() throws Exception {
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<Long>> cancelled = begin(50, () -> order.nextIdAsync(LONG));
            CompletableFuture<Long> late = order.nextIdAsync(LONG).orTimeout(50, TimeUnit.MILLISECONDS);
            CompletableFuture<Long> replaced = order.nextIdAsync(LONG);
            CompletableFuture<Long> flake = flakes.nextIdAsync(LONG);
            Thread.sleep(100);
            cancelled.forEach(future -> future.cancel(true));
            flake.cancel(false);
            replaced.complete(-7L);
            assertInstanceOf(TimeoutException.class, failureOf(late));
            awaitSoon(() -> !isWaking());
            lock.close();
            assertEquals(1, order.nextId());
            assertEquals(1, order.stats().issued());
        }
    }

    @Test
    void callsThatAreCancelledWhileIdsArriveDisturbNoOther() throws Exception {
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<Long>> kept = begin(1000, () -> order.nextIdAsync(LONG));
            List<CompletableFuture<Long>> cancelled = begin(1000, () -> order.nextIdAsync(LONG));
            var cancelling = new Minting();
            lock.release();
            cancelling.start(() -> {
                while (doneOf(kept) == 0) {
                    Thread.onSpinWait();
                }
                cancelled.forEach(future -> future.cancel(true));
            });
            cancelling.join();
            allSoon(kept);
            assertEquals(1000, differentOf(kept));
            assertEquals(1000, doneOf(cancelled));
        }
    }

    @Test
    void stagesThatBlockDoNotDelayOtherFutures() throws Exception {
        var unblock = new CountDownLatch(1);
        try (var lock = new WriteLock(file)) {
            List<CompletableFuture<Long>> blocking =
                    begin(20, () -> order.nextIdAsync(LONG).thenApply(id -> {
                        try {
                            unblock.await();
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        return id;
                    }));
            List<CompletableFuture<Long>> others = begin(500, () -> order.nextIdAsync(LONG));
            lock.release();
            allSoon(others);
            allSoon(begin(50, () -> ids.tag("later").nextIdAsync()));
            var waiting = new Minting();
            waiting.start(() -> ids.tag("third").nextId());
            waiting.join();
            assertEquals(0, doneOf(blocking));
            unblock.countDown();
            allSoon(blocking);
            awaitSoon(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("leafmint-completer")));
        } finally {
            unblock.countDown(); // a failure must not delay other tests
        }
    }

    @Test
    void aFutureKeepsItsGeneratorOpen() throws Exception {
        try (var lock = new WriteLock(file)) {
            CompletableFuture<Long> future = SegmentGenerator.open("sqlite:///" + file)
                    .tag("genes", new TagOptions().geneBits(4))
                    .nextIdWithGeneAsync(3, LONG);
            for (int time = 0; time < 5; time++) {
                System.gc();
                Thread.sleep(50);
            }
            assertEquals(0, doneOf(List.of(future)));
            lock.release();
            assertTrue(soon(future) > 0);
        }
    }

    /** Ends its main method while calls wait. */
    static final class EndWhileCallsWait {
        public static void main(String[] arguments) {
            Tag waiting = SegmentGenerator.open(arguments[0]).tag("order");
            List<CompletableFuture<Long>> futures = begin(100, () -> waiting.nextIdAsync(LONG));
            futures.get(99).whenComplete((id, failure) -> System.out.println(failure.getMessage()));
            System.out.println(doneOf(futures));
        }
    }

    @Test
    void theEndOfTheProcessDoesNotWaitForCalls() throws Exception {
        try (var server = new SilentServer()) {
            long began = System.nanoTime();
            var java = JavaProcess.run(List.of(), EndWhileCallsWait.class, server.url());
            assertTrue(java.output().startsWith("0\n"), java.output());
            assertEquals(0, java.status());
            assertTrue(System.nanoTime() - began < SOON * 1_000_000_000);
        }
    }
}
