package io.github.leafmint;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread of leafmint's own: it does not keep the JVM running, and refers to no class loader of the caller.
 *
 * <p>What it runs is the method of a subclass. The first lambda of a JVM would cost the first id milliseconds, and each
 * other one a fraction of one.
 */
abstract class DaemonThread extends Thread {
    /** In nanoseconds: long enough for memory to be freed, short enough for a call that waits. */
    private static final long PAUSE = 1_000_000;

    DaemonThread(String name) {
        super(null, null, name, 0, false);
        setDaemon(true);
        setContextClassLoader(null);
    }

    @Override
    public abstract void run();

    /** Pauses before a thread goes on after a failure. No failure ends a thread that others rely on. */
    static void pauseAfter(Throwable failure) {
        LockSupport.parkNanos(PAUSE);
    }
}
