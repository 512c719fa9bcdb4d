package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SegmentGeneratorTest {
    @TempDir
    Path directory;

    private String sqlite() {
        return "sqlite:///" + directory.resolve("ids.db");
    }

    @Test
    void idsOfAFileContinueWhereTheLastGeneratorEnded() {
        try (var ids = SegmentGenerator.open(sqlite())) {
            assertEquals(1, ids.bizTag("order").nextId());
            assertEquals(2, ids.bizTag("order").nextId());
        }
        try (var ids = SegmentGenerator.open(sqlite())) {
            assertEquals(3, ids.bizTag("order").nextId());
        }
        assertTrue(Files.exists(directory.resolve("ids.db")));
    }

    @Test
    void aTagIsCreatedOnce() {
        try (var ids = SegmentGenerator.builder(sqlite()).autoCreate(false).open()) {
            ids.initSchema();
            ids.initSchema();
            assertThrows(UnknownTagException.class, () -> ids.bizTag("order").nextId());
            assertTrue(ids.createTag("order", 10, 500, "orders of the shop"));
            assertFalse(ids.createTag("order", 10, 900, ""));
            assertEquals(500, ids.bizTag("order").nextId());
            assertTrue(ids.createTag("item", 10));
            assertEquals(1, ids.bizTag("item").nextId());
        }
    }

    @Test
    void aTagIsAlwaysTheSameObject() {
        try (var ids = SegmentGenerator.open("memory://same")) {
            assertSame(ids.bizTag("order"), ids.bizTag("order"));
            assertEquals("order", ids.bizTag("order").name());
        }
    }

    @Test
    void tagNamesKeepEveryCharacter() {
        for (String name : List.of("two words", "quote's \"", "emoji 🍃", "汉字", "a,b", "🍃".repeat(128))) {
            try (var ids = SegmentGenerator.open(sqlite())) {
                assertEquals(1, ids.bizTag(name).nextId(), name);
                assertTrue(ids.stats().tags().containsKey(name), name);
            }
        }
    }

    @Test
    void aClosedGeneratorHoldsNoTag() throws Exception {
        var ids = SegmentGenerator.open("memory:");
        for (Order order : Order.values()) {
            var tag = new WeakReference<>(ids.bizTag("order", order));
            ids.close();
            while (tag.get() != null) {
                System.gc();
                Thread.sleep(5);
            }
            ids = SegmentGenerator.open("memory:");
        }
        ids.close();
    }

    @Test
    void theScopeNamesTheProcessesThatShareTheIds() {
        try (var ids = SegmentGenerator.open("memory://scope")) {
            assertTrue(ids.scope().contains("this process"), ids.scope());
            assertTrue(ids.toString().contains(ids.scope()));
            assertTrue(ids.bizTag("order").toString().contains("order"));
        }
    }

    @Test
    void anInterruptedThreadCanOpenAGeneratorWithoutWaiting() {
        Thread.currentThread().interrupt();
        try (var ids = SegmentGenerator.open("memory://interrupted-open")) {
            assertNotNull(ids.bizTag("order"));
        } finally {
            assertTrue(Thread.interrupted(), "the flag is kept");
        }
    }

    @Test
    void segmentsHaveTheBoundsOfLeaf() throws Exception {
        for (JsonElement element :
                Vectors.read("segments.json").getAsJsonObject().get("cases").getAsJsonArray()) {
            var segment = element.getAsJsonObject();
            long start = segment.get("max_id").getAsLong();
            long step = segment.get("step").getAsLong();
            String store = "memory://segments-" + start + "-" + step;
            try (var ids = SegmentGenerator.builder(store).maxStep(step).open()) {
                assertTrue(ids.createTag("order", step, start, "a case of the vectors"));
                assertEquals(
                        segment.get("ids").getAsJsonArray().get(0).getAsLong(),
                        ids.bizTag("order").nextId());
                if (step <= 1 << 21) {
                    assertEquals(
                            segment.get("ids").getAsJsonArray().get(1).getAsLong(),
                            lastOf(ids.bizTag("order"), start, step));
                }
            }
            if (step <= 1 << 21) {
                try (var ids = SegmentGenerator.open(store)) {
                    assertEquals(
                            segment.get("max_id_after").getAsLong(),
                            ids.bizTag("order").nextId());
                }
            }
        }
    }

    /** Takes the rest of a segment whose first id is used, and returns the last id. */
    private static long lastOf(BizTag tag, long start, long step) {
        long last = start;
        for (long left = step - 1; left > 0; ) {
            long[] some = tag.nextIds(Math.min(left, 1 << 20));
            left -= some.length;
            last = some[some.length - 1];
        }
        return last;
    }

    @Test
    void aListenerHearsOfEachTagThatIsAskedForAndOfThoseBefore() {
        try (var ids = SegmentGenerator.open("memory://listeners-java")) {
            ids.bizTag("before").nextId();
            var heard = new ArrayList<String>();
            ids.onTag(heard::add);
            assertEquals(List.of("before"), heard);
            BizTag order = ids.bizTag("order");
            assertEquals(order, ids.bizTag("order"));
            assertEquals(List.of("before", "order"), heard);
            assertThrows(InvalidArgumentException.class, () -> ids.bizTag(" "));
            assertEquals(List.of("before", "order"), heard);
        }
    }
}
