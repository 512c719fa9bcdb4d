package io.github.leafmint;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** Frees native values once nobody can reach the Java object that owns them. */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    private Handle() {}

    static void freeWhenUnreachable(Object owner, long handle, LongConsumer free) {
        CLEANER.register(owner, new Free(handle, free));
    }

    // Static by nature: an action that referred to its owner would keep it for ever.
    private record Free(long handle, LongConsumer free) implements Runnable {
        @Override
        public void run() {
            free.accept(handle);
        }
    }
}
