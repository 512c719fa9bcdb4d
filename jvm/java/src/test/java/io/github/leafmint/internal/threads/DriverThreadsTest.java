package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.Databases;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.Tag;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that are inside the drivers of the application. */
@Timeout(120)
class DriverThreadsTest {
    private static final int MOST_INSIDE = 16;

    private final CountDownLatch hangs = new CountDownLatch(1);
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();

    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        hangs.countDown();
        await(0);
        assertEquals(taken.get(), closed.get(), "what was taken is given back");
    }

    private interface Take {
        Connection take() throws Exception;
    }

    /** A data source that counts what is taken and given back. */
    private DataSource source(Take take) {
        return proxy(DataSource.class, (method, arguments) -> counted(take.take()));
    }

    private Connection counted(Connection connection) {
        taken.incrementAndGet();
        return proxy(
                Connection.class,
                (method, arguments) -> {
                    if (method.equals("close")) {
                        closed.incrementAndGet();
                    }
                    if (method.equals("abort")) {
                        aborted.incrementAndGet();
                        hangs.countDown();
                    }
                    return null;
                },
                connection);
    }

    private interface Call {
        Object of(String method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return proxy(type, call, null);
    }

    /** Calls the target after the call, if there is a target. */
    private static <T> T proxy(Class<T> type, Call call, T target) {
        return type.cast(Proxy.newProxyInstance(
                DriverThreadsTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = call.of(method.getName(), arguments);
                    try {
                        return answer != null || target == null ? answer : method.invoke(target, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    private static DataSource h2() {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leafmint-driver"))
                .count();
    }

    private static void await(long threads) throws InterruptedException {
        for (int turn = 0; threads() != threads; turn++) {
            assertTrue(turn < 2000, () -> threads() + " threads");
            Thread.sleep(10);
        }
    }

    private static LeafmintException fails(Tag tag, Duration longest) {
        long began = System.nanoTime();
        var failure = assertThrows(LeafmintException.class, () -> tag.nextId(longest));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.compareTo(longest.plusSeconds(10)) < 0, () -> "it took " + took);
        return failure;
    }

    @Test
    void oneThreadWaitsWhileNothingIsAsked() throws Exception {
        DataSource h2 = h2();
        try (var ids = SegmentGenerator.builder(source(h2::getConnection))
                .autoCreate(true)
                .open()) {
            await(1);
            assertEquals(1, ids.tag("order").nextId());
            assertTrue(threads() <= 2, () -> threads() + " threads");
        }
    }

    @Test
    void dataSourcesThatHangCostABoundedNumberOfThreads() throws Exception {
        DataSource h2 = h2();
        DataSource hanging = source(() -> {
            hangs.await();
            return h2.getConnection();
        });
        try (var ids = SegmentGenerator.builder(hanging)
                .autoCreate(true)
                .connectTimeout(Duration.ofMillis(200))
                .open()) {
            for (int turn = 0; threads() < MOST_INSIDE + 1; turn++) {
                assertTrue(turn < 1000, () -> threads() + " threads");
                fails(ids.tag("order-" + turn % 20), Duration.ofMillis(100));
            }
            for (int turn = 0; turn < 5; turn++) {
                LeafmintException failure = fails(ids.tag("order-0"), Duration.ofMillis(100));
                assertTrue(failure.getMessage().contains("connect_timeout"), failure::getMessage);
                assertTrue(threads() <= MOST_INSIDE + 4, () -> threads() + " threads");
            }
            hangs.countDown();
            // An answer that comes too late, as to one of the calls above, costs its range.
            assertEquals(1, ids.tag("order-0").nextId(Duration.ofSeconds(60)) % 1000);
        }
    }

    @Test
    void anOutageOfAnyLengthIsOverWhenTheDatabaseIsBack() throws Exception {
        DataSource h2 = h2();
        var isAway = new AtomicBoolean(true);
        DataSource source = source(() -> {
            if (isAway.get()) {
                throw new SQLException("the database is away", "08001");
            }
            return h2.getConnection();
        });
        try (var ids = SegmentGenerator.builder(source).autoCreate(true).open()) {
            for (int turn = 0; turn < 50; turn++) {
                var failure = assertThrows(StoreUnavailableException.class, ids::check);
                assertTrue(failure.getMessage().contains("the database is away"), failure::getMessage);
            }
            isAway.set(false);
            ids.check();
            assertEquals(1, ids.tag("order").nextId(Duration.ofSeconds(60)));
        }
    }

    @Test
    void aStatementThatHangsIsCutAtTheDeadline() throws Exception {
        var isHanging = new AtomicInteger(1);
        DataSource hanging = source(() -> {
            Connection server = Databases.MARIADB.connect();
            return proxy(
                    Connection.class,
                    (method, arguments) -> {
                        if (!method.equals("createStatement")) {
                            return null;
                        }
                        Statement statement = server.createStatement();
                        return proxy(
                                Statement.class,
                                (called, values) -> {
                                    if (called.equals("execute") && isHanging.getAndSet(0) == 1) {
                                        hangs.await();
                                        throw new SQLException("the socket is closed", "08006");
                                    }
                                    return null;
                                },
                                statement);
                    },
                    server);
        });
        String tag = "hanging-" + UUID.randomUUID();
        try (var ids = SegmentGenerator.builder(hanging)
                .connectTimeout(Duration.ofMillis(500))
                .autoCreate(true)
                .open()) {
            assertEquals(1, ids.tag(tag).nextId(Duration.ofSeconds(20)));
        }
        assertTrue(aborted.get() >= 1);
    }

    @Test
    void theThreadsEndWithAGeneratorThatIsForgotten() throws Exception {
        letGo();
        for (int turn = 0; threads() > 0; turn++) {
            assertTrue(turn < 2000, () -> threads() + " threads");
            System.gc();
            Thread.sleep(10);
        }
    }

    private void letGo() {
        DataSource h2 = h2();
        assertEquals(
                1,
                SegmentGenerator.builder(source(h2::getConnection))
                        .autoCreate(true)
                        .open()
                        .tag("order")
                        .nextId());
    }
}
