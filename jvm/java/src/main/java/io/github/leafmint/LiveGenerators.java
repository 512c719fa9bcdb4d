package io.github.leafmint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Closes the generators that are still live when the virtual machine exits, so that what they lease goes back. */
final class LiveGenerators {
    /** For all of them together. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Set<AutoCloseable> LIVE =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(LiveGenerators::closeAll, "leafmint-exit"));
        } catch (IllegalStateException exiting) {
            // Too late for a hook: what this generator leases is lost with it.
        }
    }

    private LiveGenerators() {}

    static void add(AutoCloseable generator) {
        LIVE.add(generator);
    }

    static void remove(AutoCloseable generator) {
        LIVE.remove(generator);
    }

    private static void closeAll() {
        long began = System.nanoTime();
        List<AutoCloseable> live;
        synchronized (LIVE) {
            live = new ArrayList<>(LIVE);
        }
        var pending = new ArrayList<Long>();
        for (AutoCloseable generator : live) {
            try {
                pending.add(beginClose(generator));
            } catch (LeafmintException failure) {
                // The next one may still be closed; there is nobody left to tell.
            }
        }
        while (!pending.isEmpty() && System.nanoTime() - began < LONGEST_NANOS) {
            pending.removeIf(close -> Waiting.poll(close) != null);
            LockSupport.parkNanos(1_000_000);
        }
        EventLog.logRest();
    }

    private static long beginClose(AutoCloseable generator) {
        return generator instanceof SegmentGenerator segments ? segments.beginClose() : ((SnowflakeGenerator) generator).beginClose();
    }
}
