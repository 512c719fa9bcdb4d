package io.github.leafmint.internal.threads;

import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Logs the events of the core to SLF4J's logger {@code io.github.leafmint}, or to {@link System.Logger} without SLF4J.
 * Each text begins with the name of the event, which in SLF4J is the marker too: few patterns show markers.
 *
 * <p>A thread of its own does that while generators are open.
 */
public final class EventLog {
    static final String NAME = "io.github.leafmint";

    /** Time limit for what is logged at a close and at exit, in milliseconds. */
    private static final long LONGEST_MILLIS = 500;

    /** Held from taking events until they are logged. */
    private static final ReentrantLock LOGGING = new ReentrantLock();

    private static int users;
    private static boolean running;
    private static boolean exiting;

    private EventLog() {}

    /** Keeps the thread running until it ends. Refers to no generator. */
    public static final class Use {
        private boolean ended;

        private Use() {}

        public void end() {
            synchronized (EventLog.class) {
                if (!ended) {
                    ended = true;
                    users--;
                    Native.eventsWake();
                }
            }
        }
    }

    public static synchronized Use begin() {
        users++;
        if (!running) {
            try {
                new Work(true).start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next generator tries again; until then events stay queued, at the latest until the exit.
            }
        }
        return new Use();
    }

    /** One class for both threads: at an exit the class loader may be closed, and no other class be loaded. */
    private static final class Work extends DaemonThread {
        private final boolean whileOpen;

        Work(boolean whileOpen) {
            super("leafmint-events");
            this.whileOpen = whileOpen;
        }

        /** The events of a step that fails are lost. */
        @Override
        protected void step() {
            logAll();
        }

        @Override
        protected boolean goesOn() {
            return whileOpen && isOpenAndWaited();
        }
    }

    /** Waits for events. Returns false if no generator is open, or the process ends. */
    private static boolean isOpenAndWaited() {
        synchronized (EventLog.class) {
            if (users == 0 || exiting) {
                running = false;
                return false;
            }
        }
        Native.eventsWait();
        return true;
    }

    /**
     * Logs the remaining events at a close, or at exit, where loggers may end before {@code leafmint-events} comes to
     * them. On another thread, so that a logger that hangs delays neither for long.
     */
    public static void logRest() {
        try {
            var rest = new Work(false);
            rest.start();
            rest.join(LONGEST_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError noMoreThreads) {
            // The remaining events are lost.
        }
    }

    /** Ends the thread at exit, where the JVM would wait 300 ms for it: it is in a native. */
    static synchronized void exit() {
        exiting = true;
        Native.eventsWake();
    }

    private static void logAll() {
        LOGGING.lock();
        try {
            String[] events = Native.eventsTake();
            for (int at = 0; at < events.length; at += 3) {
                log(events[at], events[at + 1], events[at + 2]);
            }
        } finally {
            LOGGING.unlock();
        }
    }

    private static void log(String name, String level, String text) {
        try {
            logOrThrow(name, level, text);
        } catch (Throwable failure) {
            // A logger may throw anything, and this thread has no caller to report it to.
        }
    }

    private static void logOrThrow(String name, String level, String text) {
        String named = name + ": " + text;
        try {
            Slf4j.log(name, level, named);
        } catch (LinkageError withoutSlf4j) {
            var systemLevel = System.Logger.Level.valueOf(level.equals("WARN") ? "WARNING" : level);
            System.getLogger(NAME).log(systemLevel, named);
        }
    }

    /** Loaded with the first event, because leafmint also works without SLF4J. */
    private static final class Slf4j {
        private static final org.slf4j.Logger LOGGER = org.slf4j.LoggerFactory.getLogger(NAME);

        static void log(String name, String level, String text) {
            var marker = org.slf4j.MarkerFactory.getMarker(name);
            switch (level) {
                case "ERROR" -> LOGGER.error(marker, text);
                case "WARN" -> LOGGER.warn(marker, text);
                default -> LOGGER.info(marker, text);
            }
        }
    }
}
