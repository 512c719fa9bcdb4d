package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WakerTest {
    @BeforeAll
    static void load() {
        NativeLibrary.require();
    }

    /** Fails as many times as there is no memory. */
    private static Runnable thirdTime(CountDownLatch done) {
        var times = new CountDownLatch(2);
        return () -> {
            if (times.getCount() > 0) {
                times.countDown();
                throw new OutOfMemoryError("of the test");
            }
            done.countDown();
        };
    }

    @Test
    void anAlarmWhoseCallFailsGoesOffAgain() throws Exception {
        var done = new CountDownLatch(1);
        long number = Waker.add(thirdTime(done));
        Waker.wakeAt(System.nanoTime(), number);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        Waker.remove(number);
    }

    @Test
    void aCompletionThatFailsIsRunAgain() throws Exception {
        var done = new CountDownLatch(1);
        Runnable completion = thirdTime(done);
        long number = Waker.add(() -> Completer.add(completion));
        Native.wakerWake(number);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        Waker.remove(number);
    }
}
