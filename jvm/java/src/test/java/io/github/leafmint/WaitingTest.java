package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of call that waits, and what ends it. */
@Timeout(120)
class WaitingTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    /** 50 ms is the promise; the rest is for a busy machine. */
    private static final long AT_ONCE = 5_000_000_000L;

    private SilentServer server;
    private String local;
    private SnowflakeGenerator holder;
    private SegmentGenerator ids;
    private SnowflakeGenerator flakes;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        server = new SilentServer();
        ids = SegmentGenerator.open(server.url());
        // Somebody else has the only worker id.
        local = "local:///" + directory + "?workers=0&layout=timestamp:41,worker:10,sequence:8,gene:4";
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
        BizTag order = ids.bizTag("order");
        BizTag genes = ids.bizTag("genes", 4);
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

    private interface Ending {
        void end(Thread waiting);
    }

    /** Starts each call, ends it from this thread, and checks what the caller sees, and when. */
    private static void check(Map<String, Executable> calls, Ending ending, Class<? extends LeafmintException> expected)
            throws Exception {
        for (Map.Entry<String, Executable> call : calls.entrySet()) {
            var ended = new AtomicLong();
            var minting = new Minting();
            Thread waiting = minting.start(() -> {
                assertThrows(expected, call.getValue(), call.getKey());
                ended.set(System.nanoTime());
            });
            Thread.sleep(150);
            long began = System.nanoTime();
            ending.end(waiting);
            minting.join();
            assertTrue(ended.get() - began < AT_ONCE, call.getKey() + " took " + (ended.get() - began) + " ns");
        }
    }

    @Test
    void anInterruptEndsEveryKindOfWaitAtOnce() throws Exception {
        check(calls(), Thread::interrupt, LeafmintException.class);
    }

    @Test
    void aCloseFromAnotherThreadEndsEveryKindOfWaitAtOnce() throws Exception {
        for (String kind : calls().keySet()) {
            check(Map.of(kind, calls().get(kind)), waiting -> {
                ids.close();
                flakes.close();
            }, ClosedException.class);
            ids = SegmentGenerator.open(server.url());
            flakes = SnowflakeGenerator.open(local);
        }
    }
}
