package io.github.leafmint;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Frees native values once the Java object that owns them cannot be reached any more.
 *
 * <p>A {@link java.lang.ref.Cleaner} would keep the class loader for ever: its thread refers to every action, each
 * action to its class, and the class loader to objects in static fields, whose actions are never run. The thread here
 * lives only while a generator is open, so that one that is lost is closed. Without it each new value frees those
 * before it, and the end of the class loader frees the rest, see {@code JNI_OnUnload}.
 */
final class Reaper {
    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();

    /** Keeps the references reachable, without which nothing is queued. */
    private static final Set<Owned> ALL = ConcurrentHashMap.newKeySet();

    private static int openGenerators;
    private static boolean running;

    private Reaper() {}

    /** Static by nature: if it referred to its owner, that would always be reachable. */
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

    static void freeWhenUnreachable(Object owner, long value, LongConsumer free) {
        ALL.add(new Owned(owner, value, free));
        freeUnreachable();
    }

    /** Starts the thread with the first open generator. */
    static synchronized void begin() {
        openGenerators++;
        if (!running) {
            try {
                var thread = new Thread(null, Reaper::run, "leafmint-reaper", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next generator tries again.
            }
        }
    }

    /** Ends the thread with the last one. */
    static synchronized void end() {
        openGenerators--;
        if (openGenerators == 0) {
            new Owned(new Object(), 0, value -> {}).enqueue(); // ends the wait
        }
    }

    private static void run() {
        while (goesOn()) {
            try {
                ((Owned) UNREACHABLE.remove()).free();
            } catch (InterruptedException | RuntimeException failure) {
                // It is nobody's to interrupt, and the next value is still to be freed.
            }
        }
        freeUnreachable(); // the tags of the last generator
    }

    private static void freeUnreachable() {
        while (UNREACHABLE.poll() instanceof Owned unreachable) {
            unreachable.free();
        }
    }

    private static synchronized boolean goesOn() {
        running = openGenerators > 0;
        return running;
    }
}
