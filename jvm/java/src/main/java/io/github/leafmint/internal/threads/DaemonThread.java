package io.github.leafmint.internal.threads;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread of leafmint's own: it does not keep the JVM running, and refers to no class loader of the caller.
 *
 * <p>It repeats the step of a subclass while that goes on: no failure ends a thread that others rely on, and none keeps
 * it running. The first lambda of a JVM would cost the first id milliseconds, and each other one a fraction of one.
 */
public abstract class DaemonThread extends Thread {
    /** In nanoseconds: long enough for memory to be freed, short enough for a call that waits. */
    private static final long PAUSE = 1_000_000;

    public DaemonThread(String name) {
        super(null, null, name, 0, false);
        setDaemon(true);
        setContextClassLoader(null);
    }

    protected abstract void step() throws Exception;

    /** Returns whether another step follows, also after one that failed. It may wait. */
    protected abstract boolean goesOn();

    @Override
    public final void run() {
        boolean isOver = false;
        while (!isOver) {
            try {
                step();
            } catch (Throwable failure) { // such as OutOfMemoryError
                pause();
            }
            try {
                isOver = !goesOn();
            } catch (Throwable failure) {
                pause();
            }
        }
    }

    /** Pauses after a failure. */
    static void pause() {
        try {
            LockSupport.parkNanos(PAUSE);
        } catch (Throwable failure) {
            // The first pause loads what it needs, for which there may be no memory.
        }
    }
}
