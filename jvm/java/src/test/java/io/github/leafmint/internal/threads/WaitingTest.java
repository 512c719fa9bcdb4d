package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.ClosedException;
import io.github.leafmint.JavaProcess;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.Minting;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentUnavailableException;
import io.github.leafmint.SilentServer;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.TagOptions;
import io.github.leafmint.WorkerIdUnavailableException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** All calls that wait, and what ends a wait. */
@Timeout(120)
class WaitingTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    /** Time limit in nanoseconds. The promise is 50 ms; the rest is for a busy machine. */
    private static final long AT_ONCE = 5_000_000_000L;

    /** The promise is 0.05; one poll per millisecond took 1.4. */
    private static final double MOST_CORES = 0.2;

    private SilentServer server;
    private String local;
    private SnowflakeGenerator holder;
    private SegmentGenerator ids;
    private SnowflakeGenerator flakes;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        server = new SilentServer();
        ids = SegmentGenerator.open(server.url());
        // Another generator has the only worker id.
        local = "local:" + directory + "?workers=0&layout=timestamp:41,worker:10,sequence:8,gene:4";
        holder = SnowflakeGenerator.builder(local).eager(true).open();
        flakes = SnowflakeGenerator.open(local);
    }

    @AfterEach
    void close() throws IOException {
        ids.close();
        flakes.close();
        holder.close();
        server.close();
    }

    private Map<String, Executable> calls() {
        Tag order = ids.tag("order");
        Tag genes = ids.tag("genes", new TagOptions().geneBits(4));
        var calls = new LinkedHashMap<String, Executable>();
        calls.put("nextId", () -> order.nextId(LONG));
        calls.put("nextIds", () -> order.nextIds(10, LONG));
        calls.put("nextRange", () -> order.nextRange(10, LONG));
        calls.put("nextIdWithGene", () -> genes.nextIdWithGene(3, LONG));
        calls.put("snowflake nextId", () -> flakes.nextId(LONG));
        calls.put("snowflake nextIds", () -> flakes.nextIds(10, LONG));
        calls.put("snowflake nextIdWithGene", () -> flakes.nextIdWithGene(3, LONG));
        return calls;
    }

    /** How a call ended: when, with what, and whether its thread's interrupt flag was set. */
    private record End(long at, LeafmintException failure, boolean isInterrupted) {}

    /** Starts all calls, ends them from this thread, and returns how each ended, soon after. */
    private Map<String, End> ends(Consumer<List<Thread>> ending) throws Exception {
        Map<String, Executable> calls = calls();
        var ends = new ConcurrentHashMap<String, End>();
        var minting = new Minting();
        var waiting = new ArrayList<Thread>();
        calls.forEach((name, call) -> waiting.add(minting.start(() -> {
            var failure = assertThrows(LeafmintException.class, call, name);
            ends.put(name, new End(System.nanoTime(), failure, Thread.interrupted()));
        })));
        Thread.sleep(150);
        assertEquals(Map.of(), ends);
        long began = System.nanoTime();
        ending.accept(waiting);
        minting.join();
        assertEquals(calls.keySet(), ends.keySet());
        ends.forEach((name, end) -> assertTrue(end.at - began < AT_ONCE, name + " took " + (end.at - began) + " ns"));
        return ends;
    }

    /** Starts 400 threads that wait for a store and a holder that do not answer, and prints the processor time used. */
    static final class ManyWait {
        public static void main(String[] arguments) throws Exception {
            Tag order = SegmentGenerator.open(arguments[0]).tag("order");
            var flakes =
                    SnowflakeGenerator.builder(arguments[0]).stateFiles(false).open();
            for (int thread = 0; thread < 400; thread++) {
                boolean even = thread % 2 == 0;
                var waiting = new Thread(() -> assertThrows(LeafmintException.class, () -> {
                    long id = even ? order.nextId(LONG) : flakes.nextId(LONG);
                }));
                waiting.setDaemon(true);
                waiting.start();
            }
            Thread.sleep(2000);
            double cores = cores();
            // On a slow machine the threads are still being started.
            for (int turn = 0; turn < 5 && cores >= MOST_CORES; turn++) {
                cores = cores();
            }
            System.out.println("cores " + cores);
        }

        private static double cores() throws InterruptedException {
            long began = System.nanoTime();
            long busy = processorNanos();
            Thread.sleep(3000);
            return (processorNanos() - busy) / (double) (System.nanoTime() - began);
        }

        private static long processorNanos() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }

    /** Waits for a JVM of its own, while the other tests run. */
    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void manyWaitingThreadsUseLittleProcessorTime() throws Exception {
        var java = JavaProcess.run(List.of(), ManyWait.class, server.url());
        double cores = Double.parseDouble(java.output().strip().split(" ")[1]);
        assertTrue(cores < MOST_CORES, java.output());
    }

    @Test
    void everyWaitingCallGetsAnIdOnceThereAreIds() throws Exception {
        var minting = new Minting();
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        for (int thread = 0; thread < 100; thread++) {
            minting.start(() -> drawn.add(flakes.nextIdWithGene(3, LONG)));
        }
        Thread.sleep(500);
        holder.close();
        minting.join();
        assertEquals(100, drawn.size());
    }

    @Test
    void anInterruptEndsEveryKindOfWaitAtOnce() throws Exception {
        Map<String, End> ends = ends(waiting -> waiting.forEach(Thread::interrupt));
        ends.forEach((name, end) -> {
            Class<? extends LeafmintException> expected = name.startsWith("snowflake")
                    ? WorkerIdUnavailableException.class
                    : SegmentUnavailableException.class;
            assertInstanceOf(expected, end.failure, name);
            assertTrue(end.failure.getMessage().startsWith("interrupted"), end.failure.getMessage());
            assertTrue(end.isInterrupted, name);
        });
    }

    @Test
    void aCloseFromAnotherThreadEndsEveryKindOfWaitAtOnce() throws Exception {
        Map<String, End> ends = ends(waiting -> {
            ids.close();
            flakes.close();
        });
        ends.forEach((name, end) -> assertInstanceOf(ClosedException.class, end.failure, name));
    }
}
