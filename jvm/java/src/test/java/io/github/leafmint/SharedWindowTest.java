package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ids of a generator with the option {@code windowed}, most of which Java draws from memory that it shares with Rust. */
@Timeout(60)
class SharedWindowTest {
    private static final String WIDE = "timestamp:41,worker:2,sequence:18,gene:2";

    @TempDir
    Path directory;

    private SnowflakeGenerator open(String layout) {
        return SnowflakeGenerator.builder("local:///" + directory).layout(layout).windowed(true).open();
    }

    /** Mints in so many threads at once. */
    private static List<long[]> mint(int threads, Callable<long[]> work) throws Exception {
        var pool = Executors.newFixedThreadPool(threads);
        try {
            var minted = new ArrayList<long[]>();
            for (Future<long[]> thread : pool.invokeAll(Collections.nCopies(threads, work))) {
                minted.add(thread.get());
            }
            return minted;
        } finally {
            pool.shutdownNow();
        }
    }

    private static long[] ids(SnowflakeGenerator flakes, int count) {
        long[] ids = new long[count];
        for (int at = 0; at < count; at++) {
            ids[at] = flakes.nextId();
        }
        return ids;
    }

    private static void assertEachOnceAndAscending(List<long[]> minted) {
        for (long[] ids : minted) {
            for (int at = 1; at < ids.length; at++) {
                assertTrue(ids[at] > ids[at - 1], ids[at] + " after " + ids[at - 1]);
            }
        }
        long[] all = minted.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        assertEquals(all.length, Arrays.stream(all).distinct().count());
    }

    @Test
    void javaAndTheCoreKnowTheSameLayout() {
        NativeLibrary.require();
        assertArrayEquals(new long[] {SharedWindow.WINDOW_AT, SharedWindow.WORKER_AT, SharedWindow.SIZE}, Native.windowLayout());
    }

    @Test
    void eightThreadsAscendEachAndNeverMeet() throws Exception {
        try (var flakes = open(WIDE)) {
            assertEachOnceAndAscending(mint(8, () -> ids(flakes, 300_000)));
        }
    }

    @Test
    void atTheLayoutsCapThreadsNeverMeetEither() throws Exception {
        try (var flakes = open("leaf")) {
            assertEachOnceAndAscending(mint(4, () -> ids(flakes, 500_000)));
        }
    }

    @Test
    void timestampsAreNeverAheadOfTheClockAndPartsAreThoseOfTheLease() throws Exception {
        try (var flakes = open(WIDE)) {
            long wall = System.currentTimeMillis();
            for (int draw = 0; draw < 1_000_000; draw++) {
                long id = flakes.nextId();
                if (draw % 1000 == 0) {
                    var parts = flakes.decode(id);
                    long lead = parts.timestamp().toEpochMilli() - System.currentTimeMillis();
                    assertTrue(lead <= 1, lead + " ms ahead"); // two clocks, rounded each
                    assertTrue(parts.timestamp().toEpochMilli() >= wall - 1);
                    assertEquals(flakes.workerId().getAsLong(), parts.workerId());
                    assertEquals(0, parts.gene());
                }
            }
        }
    }

    @Test
    void mostIdsOfABusyGeneratorComeFromTheWindow() {
        NativeLibrary.require();
        String[] options = {"windowed", "true", "layout", WIDE, "sequence_jitter", "0"};
        long generator = Native.snowflakeOpen("local:///" + directory, options, null);
        try {
            assertNull(SharedWindow.of(generator), "no lease yet");
            long id = Native.NOT_YET;
            while (id == Native.NOT_YET) {
                id = Native.snowflakeNextId(generator);
            }
            ByteBuffer memory = SharedWindow.of(generator).memory();
            int inWindow = 0;
            for (int draw = 0; draw < 200_000; draw++) {
                long end = SharedWindow.end(memory);
                if (end > 0 && LimitCell.draw(memory) < end) {
                    inWindow++;
                } else {
                    Native.snowflakeNextId(generator);
                }
            }
            assertTrue(inWindow > 100_000, inWindow + " of 200000");
        } finally {
            Waiting.untilDoneInAnyCase(Native.snowflakeClose(generator));
            Native.snowflakeFree(generator);
        }
    }

    @Test
    void afterTheCloseNothingIsHandedOutAndTheNextOwnerGoesOnAbove() {
        long last;
        try (var flakes = open(WIDE)) {
            last = ids(flakes, 100_000)[99_999];
            flakes.close();
            for (int draw = 0; draw < 100; draw++) {
                assertThrows(ClosedException.class, flakes::nextId);
            }
        }
        try (var flakes = open(WIDE)) {
            assertTrue(flakes.nextId() > last);
        }
    }

    @Test
    void aLeaseThatIsLostAndReplacedInTheMiddleLeavesNoIdTwice() throws Exception {
        var builder = SnowflakeGenerator.builder("local:///" + directory).layout(WIDE).windowed(true);
        try (var flakes = builder.heartbeat(Duration.ofMillis(20)).open()) {
            flakes.nextId();
            var lost = new AtomicLong();
            var loser = new Thread(() -> {
                while (lost.get() < 3) {
                    removeLockFiles();
                    LockSupport.parkNanos(50_000_000);
                    lost.set(flakes.stats().leasesLost());
                }
            });
            loser.start();
            var minted = mint(4, () -> {
                var ids = LongStream.builder();
                while (lost.get() < 3) {
                    for (int draw = 0; draw < 500; draw++) {
                        ids.add(flakes.nextId());
                    }
                    Thread.sleep(1);
                }
                return ids.build().toArray();
            });
            loser.join();
            assertEachOnceAndAscending(minted);
        }
    }

    /** Each lease is found lost at its next heartbeat then. */
    private void removeLockFiles() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".lock")).toList()) {
                Files.delete(file);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
