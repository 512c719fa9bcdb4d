package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandleTest {
    @Test
    void aHandleIsFreedOnceItsOwnerCannotBeReached() throws Exception {
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
    void aGeneratorThatIsLostIsClosedInTheBackground() throws Exception {
        String store = "memory://lost";
        WeakReference<BizTag> lost = mintAndLose(store);
        while (lost.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
        Thread.sleep(500);
        try (var ids = SegmentGenerator.open(store)) {
            assertEquals(2, ids.bizTag("order").nextId(), "the unused ids were given back");
        }
    }

    private static WeakReference<BizTag> mintAndLose(String store) {
        BizTag order = SegmentGenerator.open(store).bizTag("order");
        assertEquals(1, order.nextId());
        return new WeakReference<>(order);
    }
}
