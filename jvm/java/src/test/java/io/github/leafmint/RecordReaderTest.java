package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.internal.results.Results;
import io.github.leafmint.status.SegmentCheck;
import io.github.leafmint.status.SnowflakeCheck;
import io.github.leafmint.status.TagInfo;
import io.github.leafmint.status.WorkerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The calls for operators, whose records cross as texts. */
@Timeout(60)
class RecordReaderTest {
    private static final String HOSTILE = "a\r\n\u001b[2J\u202e'\"\\🙂c";

    @Test
    void tagsAreListedChangedAndRaised(@TempDir Path folder) {
        try (var ids = SegmentGenerator.open("sqlite:///" + folder.resolve("ids.db"))) {
            assertTrue(ids.check().isNew());
            assertFalse(Files.exists(folder.resolve("ids.db")), "a check makes no file");
            ids.createTag(HOSTILE).step(100).start(5).description(HOSTILE).create();
            ids.createTag("order").step(100).start(5).geneBits(4).create();
            List<TagInfo> tags = ids.listTags();
            assertEquals(
                    List.of(HOSTILE, "order"), tags.stream().map(TagInfo::name).toList());
            TagInfo first = tags.get(0);
            assertEquals(new Results.TagInfo(HOSTILE, 5L, 100L, HOSTILE, first.updateTime(), 0L, null), first);
            assertTrue(Duration.between(first.updateTime(), Instant.now()).abs().toSeconds() < 60);
            assertEquals(4, tags.get(1).geneBits());
            ids.setTag(HOSTILE).step(200).apply();
            ids.setTag(HOSTILE).description("other").apply();
            assertEquals(5000, ids.raiseTagAbove(HOSTILE, 4999));
            assertEquals(5000, ids.raiseTagAbove(HOSTILE, 1));
            TagInfo changed = ids.listTags().get(0);
            assertEquals(
                    List.of(5000L, 200L, "other"), List.of(changed.maxId(), changed.step(), changed.description()));
            ids.setTag(HOSTILE).step(300).description("both").apply();
            assertEquals(300, ids.listTags().get(0).step());
            SegmentCheck found = ids.check();
            assertEquals(
                    List.of(ids.scope(), false, 2L, true),
                    List.of(found.scope(), found.isNew(), found.tags(), found.createsTags()));
            assertTrue(found.roundTrip().toNanos() > 0);
            assertEquals(5000, ids.tag(HOSTILE).nextId());
            assertEquals(6001, ids.raiseTagAbove(HOSTILE, 6000));
            assertEquals(257, ids.raiseTagAbove(tags.get(1).name(), 4096 + 15), "a number above every gene");
            List<Executable> wrong = List.of(
                    () -> ids.setTag("order").step(0).apply(),
                    () -> ids.raiseTagAbove("order", -1),
                    () -> ids.setTag("").description("x").apply());
            wrong.forEach(call -> assertThrows(InvalidArgumentException.class, call));
            assertThrows(
                    UnknownTagException.class,
                    () -> ids.setTag("missing").step(5).apply());
            assertThrows(UnknownTagException.class, () -> ids.raiseTagAbove("missing", 5));
        }
    }

    @Test
    void workerIdsAreListedAndNoneIsTaken(@TempDir Path folder) {
        String url = "local:" + folder.resolve("workers");
        var looking = SnowflakeGenerator.open(url);
        assertEquals(List.of(), looking.listWorkers());
        assertTrue(looking.check().isNew());
        assertFalse(Files.exists(folder.resolve("workers")), "a look makes no directory");
        try (var owner =
                SnowflakeGenerator.builder(url).endpoint("10.0.0.7:8080").open()) {
            owner.nextId();
            WorkerInfo worker = looking.listWorkers().get(0);
            assertEquals(new Results.WorkerInfo(0, "10.0.0.7:8080", true, worker.horizon(), worker.updated()), worker);
            assertTrue(worker.updated().isBefore(worker.horizon()));
            SnowflakeCheck found = looking.check();
            assertEquals(
                    List.of("local", false, 1024L, 1023L),
                    List.of(found.holder(), found.isNew(), found.workers(), found.freeWorkers()));
            assertNull(found.clockSkew());
            assertEquals(looking.layout().runsOut(), found.runsOut());
            for (boolean force : new boolean[] {false, true}) {
                var held = assertThrows(WorkerIdUnavailableException.class, () -> looking.releaseWorker(0, force));
                assertTrue(held.getMessage().contains("10.0.0.7:8080"), held.getMessage());
            }
        }
        assertFalse(looking.listWorkers().get(0).held());
        assertFalse(looking.releaseWorker(0, false));
        assertThrows(InvalidArgumentException.class, () -> looking.releaseWorker(1024, true));
        assertTrue(looking.workerId().isEmpty(), "it looked only");
        looking.close();
        List<Executable> closed = List.of(looking::listWorkers, looking::check, () -> looking.releaseWorker(0, false));
        closed.forEach(call -> assertThrows(ClosedException.class, call));
    }
}
