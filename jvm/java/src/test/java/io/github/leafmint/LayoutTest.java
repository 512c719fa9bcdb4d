package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import io.github.leafmint.internal.results.Results;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LayoutTest {
    private static Layout layout(JsonObject of, String text) {
        return of.get("epoch").isJsonNull()
                ? Layout.of(of.get(text).getAsString())
                : Layout.of(
                        of.get(text).getAsString(),
                        Instant.ofEpochMilli(of.get("epoch").getAsLong()));
    }

    private static long compose(JsonObject parts) {
        Layout layout = layout(parts, "layout");
        Duration ticks = layout.unit().multipliedBy(parts.get("tick").getAsLong());
        return layout.compose(layout.epoch().plus(ticks))
                .datacenterId(parts.get("datacenter").getAsLong())
                .workerId(parts.get("worker_id").getAsLong())
                .sequence(parts.get("sequence").getAsLong())
                .gene(parts.get("gene").getAsLong())
                .id();
    }

    @Test
    void layoutsAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("layouts.json", "valid")) {
            Layout layout = layout(expected, "text");
            assertEquals(expected.get("timestamp").getAsInt(), layout.timestampBits(), expected::toString);
            assertEquals(expected.get("datacenter").getAsInt(), layout.datacenterBits(), expected::toString);
            assertEquals(expected.get("worker").getAsInt(), layout.workerBits(), expected::toString);
            assertEquals(expected.get("sequence").getAsInt(), layout.sequenceBits(), expected::toString);
            assertEquals(expected.get("gene").getAsInt(), layout.geneBits(), expected::toString);
            assertEquals(Duration.ofMillis(expected.get("unit_millis").getAsLong()), layout.unit(), expected::toString);
            assertEquals(
                    Instant.ofEpochMilli(expected.get("runs_out").getAsLong()), layout.runsOut(), expected::toString);
            assertEquals(expected.get("last_id").getAsLong(), layout.lastId(), expected::toString);
            assertEquals(expected.get("fingerprint").getAsString(), layout.fingerprint());
            assertEquals("Layout[" + layout.fingerprint() + "]", layout.toString());
            if (!expected.get("epoch").isJsonNull()) {
                assertEquals(Instant.ofEpochMilli(expected.get("epoch").getAsLong()), layout.epoch());
            }
        }
    }

    @Test
    void layoutsOfTheVectorsAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("layouts.json", "invalid")) {
            Vectors.refused(expected, () -> layout(expected, "text"));
        }
    }

    @Test
    void idsAreDecodedAndComposedAsInTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("decode.json", "ids")) {
            Layout layout = layout(expected, "layout");
            var parts = new Results.DecodedId(
                    expected.get("id").getAsLong(),
                    Instant.ofEpochMilli(expected.get("timestamp").getAsLong()),
                    expected.get("datacenter").getAsLong(),
                    expected.get("worker_id").getAsLong(),
                    expected.get("sequence").getAsLong(),
                    expected.get("gene").getAsLong());
            assertEquals(parts, layout.decode(parts.id()));
            assertEquals(parts.id(), compose(expected), expected::toString);
        }
    }

    @Test
    void numbersThatAreNotIdsAreRefusedWithTheirValue() throws Exception {
        for (JsonObject expected : Vectors.cases("decode.json", "invalid_ids")) {
            Layout layout = layout(expected, "layout");
            Vectors.refused(expected, () -> layout.decode(expected.get("id").getAsLong()));
            String message = assertThrows(InvalidIdException.class, () -> layout.decode(-42))
                    .getMessage();
            assertEquals("-42 is not an id: it is negative", message);
        }
    }

    @Test
    void partsThatDoNotFitAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("decode.json", "invalid_parts")) {
            Vectors.refused(expected, () -> compose(expected));
        }
    }

    @Test
    void boundsForRangeQueriesAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("decode.json", "ranges")) {
            Layout layout = layout(expected, "layout");
            var at = Instant.ofEpochMilli(expected.get("at").getAsLong());
            assertEquals(expected.get("min_id").getAsLong(), layout.minId(at), expected::toString);
            assertEquals(expected.get("max_id").getAsLong(), layout.maxId(at), expected::toString);
        }
        for (JsonObject expected : Vectors.cases("decode.json", "invalid_ranges")) {
            Layout layout = layout(expected, "layout");
            var at = Instant.ofEpochMilli(expected.get("at").getAsLong());
            Vectors.refused(expected, () -> layout.minId(at));
            Vectors.refused(expected, () -> layout.maxId(at));
        }
    }

    @Test
    void timesBeyond64BitsOfMillisecondsAreOutOfRange() {
        Layout leaf = Layout.of("leaf");
        for (Instant at : List.of(Instant.MIN, Instant.MAX)) {
            assertThrows(InvalidArgumentException.class, () -> leaf.minId(at));
            assertThrows(InvalidArgumentException.class, () -> leaf.maxId(at));
        }
        assertThrows(
                InvalidArgumentException.class, () -> leaf.compose(Instant.MIN).id());
        assertThrows(
                IdSpaceExhaustedException.class, () -> leaf.compose(Instant.MAX).id());
    }

    @Test
    void aTimeWithinAMillisecondBelongsToThatMillisecond() {
        Layout leaf = Layout.of("leaf");
        Instant at = Instant.parse("2026-11-01T00:00:00Z");
        assertEquals(leaf.minId(at), leaf.minId(at.plusNanos(999_999)));
        assertEquals(leaf.maxId(at) + 1, leaf.minId(at.plusNanos(1_000_000)));
        assertThrows(
                InvalidArgumentException.class,
                () -> leaf.compose(leaf.epoch().minusNanos(1)).id());
    }

    @Test
    void layoutsAreEqualIfTheirBitsAndEpochsAre() {
        Layout leaf = Layout.of("leaf");
        assertEquals(leaf, Layout.of(" sequence:12, worker:10, timestamp:41 "));
        assertEquals(
                leaf.hashCode(), Layout.of("timestamp:41,worker:10,sequence:12").hashCode());
        assertEquals(leaf, Layout.of("leaf", leaf.epoch()));
        assertNotEquals(leaf, Layout.of("leaf", Instant.EPOCH));
        assertNotEquals(leaf, Layout.of("wide"));
        assertNotEquals(leaf, leaf.fingerprint());
    }

    @Test
    void anUnpairedSurrogateIsRefused() {
        assertThrows(InvalidArgumentException.class, () -> Layout.of("leaf\ud83c"));
        assertThrows(InvalidArgumentException.class, () -> Layout.of("\udf43", Instant.EPOCH));
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        Layout leaf = Layout.of("leaf");
        assertEquals(
                "text",
                assertThrows(NullPointerException.class, () -> Layout.of(null)).getMessage());
        assertEquals(
                "at",
                assertThrows(NullPointerException.class, () -> leaf.minId(null)).getMessage());
        assertEquals(
                "at",
                assertThrows(NullPointerException.class, () -> leaf.maxId(null)).getMessage());
        assertEquals(
                "timestamp",
                assertThrows(NullPointerException.class, () -> leaf.compose(null))
                        .getMessage());
    }

    @Test
    void unreachableLayoutsAreFreedWhileOthersAreInUse() throws Exception {
        var lost = new WeakReference<>(Layout.of("wide"));
        while (lost.get() != null) {
            System.gc();
            Thread.sleep(5);
            for (int round = 0; round < 1000; round++) {
                assertEquals(7, Layout.of("leaf").decode(7L << 12).workerId());
            }
        }
    }
}
