package io.github.leafmint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes the generators that are still live when the virtual machine exits, so that what they lease goes back.
 *
 * <p>Shutdown hooks run at the same time, and a server may drain in one: its requests still mint. So this hook waits
 * until all others have ended. That costs no time, since the virtual machine waits for them too.
 */
final class LiveGenerators {
    private static final String HOOK = "leafmint-exit";

    /** For all closes together. */
    private static final long LONGEST_CLOSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** Longest wait for the other hooks: if one hangs, the process is about to be killed. */
    private static final long LONGEST_DRAIN = TimeUnit.SECONDS.toNanos(60);

    /** Longest time that a hook may take to be started; one that could not be started never ends. */
    private static final long LONGEST_START = TimeUnit.SECONDS.toNanos(1);

    private static final Set<AutoCloseable> LIVE = Collections.newSetFromMap(new WeakHashMap<>());

    /** Registered while generators are live: it keeps this class, and with it the class loader, reachable. */
    private static Thread hook;

    /** The virtual machine's own map of hooks; it is not emptied at the exit. {@code null} if it is not known. */
    private static Map<Thread, Thread> allHooks;

    private LiveGenerators() {}

    static synchronized void add(AutoCloseable generator) {
        LIVE.add(generator);
        if (hook == null) {
            var added = new Thread(LiveGenerators::closeAll, HOOK);
            try {
                Runtime.getRuntime().addShutdownHook(added);
                hook = added;
                allHooks = Native.shutdownHooks();
            } catch (IllegalStateException exiting) {
                // Too late for a hook: what this generator leases is lost with it.
            }
        }
    }

    static synchronized void remove(AutoCloseable generator) {
        LIVE.remove(generator);
        removeHookIfIdle();
    }

    /** Removes the hook once no generator is live. Called after one was collected, too. */
    static synchronized void removeHookIfIdle() {
        if (hook != null && LIVE.isEmpty()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
                hook = null;
            } catch (IllegalStateException exiting) {
                // It runs already, and finds nothing to close.
            }
        }
    }

    private static synchronized List<AutoCloseable> live() {
        return new ArrayList<>(LIVE);
    }

    private static void closeAll() {
        awaitOtherHooks();
        long began = System.nanoTime();
        var pending = new ArrayList<Long>();
        for (AutoCloseable generator : live()) {
            try {
                pending.add(beginClose(generator));
            } catch (LeafmintException failure) {
                // The next one may still be closed; nothing is left to report to.
            }
        }
        while (!pending.isEmpty() && System.nanoTime() - began < LONGEST_CLOSE) {
            pending.removeIf(close -> Waiting.poll(close) != null);
            LockSupport.parkNanos(1_000_000);
        }
        EventLog.logRest();
    }

    private static void awaitOtherHooks() {
        long began = System.nanoTime();
        while (allHooks != null) {
            long waited = System.nanoTime() - began;
            if (waited > LONGEST_DRAIN || allHooks.keySet().stream().noneMatch(other -> isBusy(other, waited))) {
                return;
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    private static boolean isBusy(Thread other, long waited) {
        // Copies of leafmint in other class loaders do not wait for one another.
        if (other.getName().equals(HOOK)) {
            return false;
        }
        return switch (other.getState()) {
            case NEW -> waited < LONGEST_START;
            case TERMINATED -> false;
            default -> true;
        };
    }

    private static long beginClose(AutoCloseable generator) {
        return generator instanceof SegmentGenerator segments
                ? segments.beginClose()
                : ((SnowflakeGenerator) generator).beginClose();
    }
}
