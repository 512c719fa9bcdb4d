package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.internal.natives.Reaper;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandleTest {
    @Test
    void aValueIsFreedAfterItsOwnerHasBecomeUnreachable() throws Exception {
        Set<Long> freed = ConcurrentHashMap.newKeySet();
        try (var open = SegmentGenerator.open("memory:")) {
            for (long handle = 0; handle < 100; handle++) {
                Reaper.freeWhenUnreachable(new Object(), handle, freed::add);
            }
            while (freed.size() < 100) {
                System.gc();
                Thread.sleep(5);
            }
        }
    }

    @Test
    void anErrorEndsNeitherTheThreadNorTheCallThatMeetsIt() throws Exception {
        Set<Long> freed = ConcurrentHashMap.newKeySet();
        try (var open = SegmentGenerator.open("memory:")) {
            for (long handle = 0; handle < 100; handle++) {
                Reaper.freeWhenUnreachable(new Object(), handle, value -> {
                    freed.add(value);
                    throw new NoClassDefFoundError("a class whose loader is closed");
                });
            }
            while (freed.size() < 100) {
                System.gc();
                Thread.sleep(5);
            }
        }
    }

    @Test
    void anUnreachableGeneratorIsClosedInTheBackground() throws Exception {
        String store = "memory://lost";
        var lost = new Lost(store);
        while (lost.tag.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
        try (var ids = SegmentGenerator.open(store)) {
            while (ids.listTags().get(0).maxId() != 2) {
                Thread.sleep(5);
            }
            assertEquals(2, ids.tag("order").nextId(), "the unused ids were given back");
        }
        Reference.reachabilityFence(lost);
    }

    /**
     * An unreachable tag whose cells are still reachable, as if a thread were drawing from them or the collector found
     * them later than the generator.
     */
    private static final class Lost {
        final WeakReference<Tag> tag;
        final Object cell;

        Lost(String store) throws ReflectiveOperationException {
            Tag order = SegmentGenerator.open(store).tag("order");
            assertEquals(1, order.nextId());
            var field = TagCells.class.getDeclaredField("cells");
            field.setAccessible(true);
            cell = field.get(order);
            tag = new WeakReference<>(order);
        }
    }
}
