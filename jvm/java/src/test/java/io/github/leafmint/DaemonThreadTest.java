package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DaemonThreadTest {
    @Test
    void aStepThatFailsIsRepeatedUntilOneIsTheLast() throws Exception {
        var steps = new AtomicInteger();
        var thread = new DaemonThread("leafmint-test") {
            @Override
            boolean step() throws Exception {
                return switch (steps.incrementAndGet()) {
                    case 1 -> throw new OutOfMemoryError();
                    case 2 -> throw new InterruptedException();
                    case 3 -> true;
                    default -> false;
                };
            }
        };
        thread.start();
        thread.join(10_000);
        assertEquals(4, steps.get());
    }
}
