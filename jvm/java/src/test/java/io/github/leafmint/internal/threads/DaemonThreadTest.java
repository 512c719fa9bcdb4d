package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DaemonThreadTest {
    @Test
    void noFailureEndsAThreadThatGoesOnAndNoneKeepsAnother() throws Exception {
        var steps = new AtomicInteger();
        var thread = new DaemonThread("leafmint-test") {
            @Override
            protected void step() throws Exception {
                steps.incrementAndGet();
                throw new InterruptedException();
            }

            @Override
            protected boolean goesOn() {
                if (steps.get() == 2) {
                    throw new OutOfMemoryError();
                }
                return steps.get() < 4;
            }
        };
        thread.start();
        thread.join(10_000);
        assertFalse(thread.isAlive());
        assertEquals(4, steps.get());
    }
}
