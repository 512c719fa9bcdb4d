package io.github.leafmint;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that mint. The first failure of one of them fails the test. */
public final class Minting {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    public interface Work {
        void run() throws Exception;
    }

    public Thread start(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown);
            }
        });
        threads.add(thread);
        thread.start();
        return thread;
    }

    public void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(30_000);
            if (thread.isAlive()) {
                throw new AssertionError(thread + " hangs");
            }
        }
        if (failure.get() != null) {
            throw new AssertionError("in another thread", failure.get());
        }
    }
}
