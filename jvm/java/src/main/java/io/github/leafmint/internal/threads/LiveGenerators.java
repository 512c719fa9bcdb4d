package io.github.leafmint.internal.threads;

import io.github.leafmint.LeafmintException;
import io.github.leafmint.internal.natives.GeneratorNatives;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Closes the generators that are still open when the JVM exits, so that what they leased but did not use is returned.
 *
 * <p>Shutdown hooks run concurrently, and a server may drain in one: its requests still mint. So this hook waits until
 * all others have ended. That costs no time, because the JVM waits for them too.
 */
public final class LiveGenerators {
    private static final String HOOK = "leafmint-exit";

    /** Time limit for all closes together, in nanoseconds. */
    private static final long LONGEST_CLOSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** Longest wait for the other hooks, in nanoseconds: if one hangs, the process is about to be killed. */
    private static final long LONGEST_DRAIN = TimeUnit.SECONDS.toNanos(60);

    /** Longest wait for a hook to start, in nanoseconds. A hook that the JVM failed to start never ends. */
    private static final long LONGEST_START = TimeUnit.SECONDS.toNanos(1);

    /** The native generators, each with its native methods. */
    private static final Map<Handle, GeneratorNatives> LIVE = new WeakHashMap<>();

    /** Registered only while generators are live: it keeps this class, and with it the class loader, reachable. */
    private static @Nullable Thread hook;

    /** The JVM's own map of hooks, which is not emptied at exit; {@code null} if this JVM does not have one. */
    private static @Nullable Map<Thread, Thread> allHooks;

    private LiveGenerators() {}

    public static synchronized void add(Handle generator, GeneratorNatives natives) {
        LIVE.put(generator, natives);
        if (hook == null) {
            var added = new Hook();
            try {
                Runtime.getRuntime().addShutdownHook(added);
                hook = added;
                allHooks = Native.exitShutdownHooks();
            } catch (IllegalStateException exiting) {
                // Too late for a hook: what this generator leases is lost with the process.
            }
        }
    }

    public static synchronized void remove(Handle generator) {
        LIVE.remove(generator);
        removeHookIfIdle();
    }

    /** Removes the hook once no generator is live. Also called after a generator was garbage-collected. */
    public static synchronized void removeHookIfIdle() {
        if (hook != null && LIVE.isEmpty()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
                hook = null;
            } catch (IllegalStateException exiting) {
                // The hook is already running, and finds nothing to close.
            }
        }
    }

    private static synchronized Map<Handle, GeneratorNatives> live() {
        return Map.copyOf(LIVE);
    }

    private static final class Hook extends Thread {
        Hook() {
            super(HOOK);
        }

        @Override
        public void run() {
            closeAll();
        }
    }

    /** Closes all generators, at exit. */
    static void closeAll() {
        awaitOtherHooks();
        long began = System.nanoTime();
        var pending = new ArrayDeque<Long>();
        Map<Handle, GeneratorNatives> live = live();
        // Loops and no lambdas: in a process without any the first one costs 14 ms.
        for (Map.Entry<Handle, GeneratorNatives> each : live.entrySet()) {
            try {
                pending.add(each.getValue().beginClose(each.getKey().value()));
            } catch (LeafmintException failure) {
                // The other generators can still be closed, and nothing is left to report to.
            }
        }
        Reference.reachabilityFence(live);
        while (!pending.isEmpty() && System.nanoTime() - began < LONGEST_CLOSE) {
            if (Waiting.poll(pending.peek()) != null) {
                pending.remove();
            } else {
                LockSupport.parkNanos(1_000_000);
            }
        }
        EventLog.logRest();
        EventLog.exit();
    }

    private static void awaitOtherHooks() {
        long began = System.nanoTime();
        while (allHooks != null) {
            long waited = System.nanoTime() - began;
            if (waited > LONGEST_DRAIN || !isAnyBusy(allHooks.keySet(), waited)) {
                return;
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    private static boolean isAnyBusy(Set<Thread> others, long waited) {
        for (Thread other : others) {
            if (isBusy(other, waited)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBusy(Thread other, long waited) {
        // Copies of leafmint in other class loaders must not wait for each other.
        if (other.getName().equals(HOOK)) {
            return false;
        }
        // A switch would need a class of its own, and by now the class loader may be closed.
        if (other.getState() == Thread.State.NEW) {
            return waited < LONGEST_START;
        }
        return other.isAlive();
    }
}
