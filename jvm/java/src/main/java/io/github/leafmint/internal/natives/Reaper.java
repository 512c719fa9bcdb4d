package io.github.leafmint.internal.natives;

import io.github.leafmint.internal.threads.DaemonThread;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Frees native values after the Java objects that own them have become unreachable.
 *
 * <p>A {@link java.lang.ref.Cleaner} would keep the class loader reachable for ever: its thread refers to every action,
 * each action to its class, and the class loader to objects in static fields, whose actions never run. The thread here
 * runs only while a generator is open, so that a generator that becomes unreachable is closed. Without the thread each
 * new value frees those that became unreachable before it, and the end of the class loader frees the rest: see
 * {@code JNI_OnUnload}.
 */
public final class Reaper {
    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();

    /** Keeps the references themselves reachable; otherwise they would not be queued. */
    private static final Set<Owned> ALL = ConcurrentHashMap.newKeySet();

    private static int openGenerators;
    private static boolean running;

    private Reaper() {}

    /** A native value and its owner. Static, because a reference to the owner would keep the owner reachable. */
    private static final class Owned extends PhantomReference<Object> {
        private final long value;
        private final LongConsumer free;

        Owned(Object owner, long value, LongConsumer free) {
            super(owner, UNREACHABLE);
            this.value = value;
            this.free = free;
        }

        void free() {
            if (ALL.remove(this)) {
                free.accept(value);
            }
        }
    }

    public static void freeWhenUnreachable(Object owner, long value, LongConsumer free) {
        ALL.add(new Owned(owner, value, free));
        freeUnreachable();
    }

    /** Starts the thread with the first open generator. */
    public static synchronized void begin() {
        openGenerators++;
        if (!running) {
            try {
                new Work().start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next generator tries again.
            }
        }
    }

    /** Ends the thread with the last open generator. */
    public static synchronized void end() {
        openGenerators--;
        if (openGenerators == 0) {
            wake();
        }
    }

    private static final class Work extends DaemonThread {
        Work() {
            super("leafmint-reaper");
        }

        /** An interrupt means nothing to this thread. */
        @Override
        protected void step() throws InterruptedException {
            free(UNREACHABLE.remove());
        }

        @Override
        protected boolean goesOn() {
            if (isNeeded()) {
                return true;
            }
            freeUnreachable(); // the tags of the last generator
            return false;
        }
    }

    private static void freeUnreachable() {
        boolean isWake = false;
        for (var next = UNREACHABLE.poll(); next != null; next = UNREACHABLE.poll()) {
            isWake |= !(next instanceof Owned);
            free(next);
        }
        if (isWake) {
            wakeIfRunning(); // it was meant for the thread, which would wait for ever
        }
    }

    private static synchronized void wakeIfRunning() {
        if (running) {
            wake();
        }
    }

    /** Ends a wait of the thread. */
    private static void wake() {
        new PhantomReference<>(new Object(), UNREACHABLE).enqueue();
    }

    private static void free(Reference<?> unreachable) {
        if (unreachable instanceof Owned owned) {
            try {
                owned.free();
            } catch (Throwable failure) {
                // The next value must be freed too, and this may be a thread that has to do with neither.
            }
        }
    }

    private static synchronized boolean isNeeded() {
        running = openGenerators > 0;
        return running;
    }
}
