package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.status.TagStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Eight threads that take ids of one tag with all methods, while segments switch, the garbage collector runs and
 * generators close.
 */
@Timeout(120)
class TagCellsTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = Rounds.of(3, 10);

    /** The ids of one thread. An id that is not higher than the one before fails the thread. */
    private static final class Drawn {
        private long[] ids = new long[1 << 10];
        private int size;

        void add(long id) {
            if (id < 0 || (size > 0 && id <= ids[size - 1])) {
                throw new AssertionError(id + " after " + (size > 0 ? ids[size - 1] : "nothing"));
            }
            if (size == ids.length) {
                ids = Arrays.copyOf(ids, 2 * size);
            }
            ids[size++] = id;
        }

        long[] ids() {
            return Arrays.copyOf(ids, size);
        }
    }

    /** Takes ids with the method of that number, into {@code drawn}. */
    private static void take(Tag tag, int way, long[] into, Drawn drawn) {
        switch (way) {
            case 0 -> {
                tag.nextIds(into);
                Arrays.stream(into).forEach(drawn::add);
            }
            case 1 -> Arrays.stream(tag.nextIds(5)).forEach(drawn::add);
            case 2 -> tag.nextRange(3).stream().forEach(drawn::add);
            case 3 -> {
                OptionalLong id = tag.tryNextId();
                if (id.isPresent()) {
                    drawn.add(id.getAsLong());
                }
            }
            default -> drawn.add(tag.nextId());
        }
    }

    private static void mintUntilClosed(Tag tag, Drawn drawn, boolean everyWay) {
        var into = new long[7];
        try {
            for (int call = 0; ; call++) {
                take(tag, everyWay ? call % 12 : 12, into, drawn);
            }
        } catch (ClosedException end) {
            // The end of the test.
        }
    }

    private static long[] sorted(List<Drawn> all) {
        long[] ids = all.stream()
                .map(Drawn::ids)
                .flatMapToLong(Arrays::stream)
                .sorted()
                .toArray();
        for (int at = 1; at < ids.length; at++) {
            assertTrue(ids[at] > ids[at - 1], ids[at] + " was handed out twice");
        }
        return ids;
    }

    private static List<Drawn> start(Minting minting, Tag tag, boolean everyWay) {
        var all = new ArrayList<Drawn>();
        for (int thread = 0; thread < THREADS; thread++) {
            var drawn = new Drawn();
            all.add(drawn);
            minting.start(() -> mintUntilClosed(tag, drawn, everyWay));
        }
        return all;
    }

    /** Mints in eight threads, closes the generator meanwhile, and takes the next id with another one. */
    private static void closeInTheMiddle(String store, SegmentGeneratorBuilder builder, boolean everyWay, int rounds)
            throws Exception {
        var all = new ArrayList<Drawn>();
        for (int round = 0; round < rounds; round++) {
            var minting = new Minting();
            SegmentGenerator ids = builder.open();
            List<Drawn> drawn = start(minting, ids.tag("order"), everyWay);
            Thread.sleep(20);
            ids.close();
            minting.join();
            all.addAll(drawn);
            TagStats stats = ids.stats().tags().get("order");
            assertEquals(
                    stats.leased(),
                    stats.issued() + stats.unused() + stats.givenBack(),
                    "every number is accounted for");
        }
        long[] ids = sorted(all);
        assertTrue(ids.length > 0);
        try (var later = SegmentGenerator.open(store)) {
            long next = later.tag("order").nextId();
            assertTrue(next > ids[ids.length - 1], next + " was handed out before");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 10})
    void theShortestSegmentsHandOutNoIdTwice(long step) throws Exception {
        String store = "memory://short-" + step;
        closeInTheMiddle(
                store, SegmentGenerator.builder(store).defaultStep(step).maxStep(step), false, ROUNDS);
    }

    /** In interpreted code there is time for a switch between reading the limit and drawing. */
    @Test
    void interpretedCodeHandsOutNoIdTwice() throws Exception {
        JavaProcess process = JavaProcess.run(List.of("-Xint"), Interpreted.class);
        assertEquals("no id twice", process.output().strip());
    }

    static final class Interpreted {
        public static void main(String[] arguments) throws Exception {
            for (long step : new long[] {1, 2, 10}) {
                String store = "memory://interpreted-" + step;
                closeInTheMiddle(
                        store, SegmentGenerator.builder(store).defaultStep(step).maxStep(step), false, 10);
            }
            System.out.println("no id twice");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 10})
    void allMethodsAtOnceHandOutNoIdTwice(long step) throws Exception {
        String store = "memory://ways-" + step;
        closeInTheMiddle(store, SegmentGenerator.builder(store).defaultStep(step), true, ROUNDS);
    }

    @Test
    void longSegmentsHandOutNoIdTwice() throws Exception {
        String store = "memory://long";
        closeInTheMiddle(store, SegmentGenerator.builder(store).defaultStep(100_000), true, ROUNDS);
    }

    @Test
    void garbageCollectionHandsOutNoIdTwice() throws Exception {
        String store = "memory://collected";
        int generators = Rounds.of(12, 60);
        var done = new AtomicBoolean();
        var collector = new Thread(() -> {
            while (!done.get()) {
                System.gc();
                // Or a busy machine would do nothing else.
                LockSupport.parkNanos(1_000_000);
            }
        });
        collector.start();
        var all = new ArrayList<Drawn>();
        var minting = new Minting();
        for (int thread = 0; thread < THREADS; thread++) {
            var drawn = new Drawn();
            all.add(drawn);
            minting.start(() -> {
                for (int round = 0; round < generators; round++) {
                    // Only this loop refers to the generator and the tag.
                    Tag tag = SegmentGenerator.builder(store)
                            .defaultStep(20)
                            .open()
                            .tag("order");
                    for (int call = 0; call < 200; call++) {
                        take(tag, call % 12, new long[7], drawn);
                    }
                }
            });
        }
        try {
            minting.join();
        } finally {
            done.set(true);
            collector.join();
        }
        sorted(all);
    }
}
