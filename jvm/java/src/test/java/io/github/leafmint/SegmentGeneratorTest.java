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
            assertEquals(1, ids.tag("order").nextId());
            assertEquals(2, ids.tag("order").nextId());
        }
        try (var ids = SegmentGenerator.open(sqlite())) {
            assertEquals(3, ids.tag("order").nextId());
        }
        assertTrue(Files.exists(directory.resolve("ids.db")));
    }

    @Test
    void aTagIsCreatedOnce() {
        try (var ids = SegmentGenerator.builder(sqlite()).autoCreate(false).open()) {
            ids.initSchema();
            ids.initSchema();
            assertThrows(UnknownTagException.class, () -> ids.tag("order").nextId());
            assertTrue(ids.createTag("order")
                    .step(10)
                    .start(500)
                    .description("orders of the shop")
                    .create());
            assertFalse(ids.createTag("order").step(10).start(900).create());
            assertEquals(500, ids.tag("order").nextId());
            assertTrue(ids.createTag("item").step(10).create());
            assertEquals(1, ids.tag("item").nextId());
        }
    }

    @Test
    void aTagIsAlwaysTheSameObject() {
        try (var ids = SegmentGenerator.open("memory://same")) {
            assertSame(ids.tag("order"), ids.tag("order"));
            assertEquals("order", ids.tag("order").name());
        }
    }

    @Test
    void tagNamesKeepEveryCharacter() {
        for (String name : List.of("two words", "quote's \"", "emoji 🍃", "汉字", "a,b", "🍃".repeat(128))) {
            try (var ids = SegmentGenerator.open(sqlite())) {
                assertEquals(1, ids.tag(name).nextId(), name);
                assertTrue(ids.stats().tags().containsKey(name), name);
            }
        }
    }

    @Test
    void aClosedGeneratorHoldsNoTag() throws Exception {
        var ids = SegmentGenerator.open("memory:");
        for (IdOrder order : IdOrder.values()) {
            var tag = new WeakReference<>(ids.tag("order", new TagOptions().order(order)));
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
            assertTrue(ids.tag("order").toString().contains("order"));
        }
    }

    @Test
    void anInterruptedThreadCanOpenAGeneratorWithoutWaiting() {
        Thread.currentThread().interrupt();
        try (var ids = SegmentGenerator.open("memory://interrupted-open")) {
            assertNotNull(ids.tag("order"));
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
                assertTrue(ids.createTag("order")
                        .step(step)
                        .start(start)
                        .description("a case of the vectors")
                        .create());
                assertEquals(
                        segment.get("ids").getAsJsonArray().get(0).getAsLong(),
                        ids.tag("order").nextId());
                if (step <= 1 << 21) {
                    assertEquals(
                            segment.get("ids").getAsJsonArray().get(1).getAsLong(),
                            lastOf(ids.tag("order"), start, step));
                }
            }
            if (step <= 1 << 21) {
                try (var ids = SegmentGenerator.open(store)) {
                    assertEquals(
                            segment.get("max_id_after").getAsLong(),
                            ids.tag("order").nextId());
                }
            }
        }
    }

    /** Takes the rest of a segment whose first id is used, and returns the last id. */
    private static long lastOf(Tag tag, long start, long step) {
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
            ids.tag("before").nextId();
            var heard = new ArrayList<String>();
            ids.onTag(heard::add);
            assertEquals(List.of("before"), heard);
            Tag order = ids.tag("order");
            assertEquals(order, ids.tag("order"));
            assertEquals(List.of("before", "order"), heard);
            assertThrows(InvalidArgumentException.class, () -> ids.tag(" "));
            assertEquals(List.of("before", "order"), heard);
        }
    }
}
