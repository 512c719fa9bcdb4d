package io.github.leafmint;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Logs what the core tells of, on a thread of its own that lives while generators are open: SLF4J's logger
 * {@code io.github.leafmint}, with the name of the event as the marker.
 */
final class EventLog {
    static final String NAME = "io.github.leafmint";

    private static final long LONGEST_MILLIS = 500;

    /** Held from taking events until they are logged. */
    private static final ReentrantLock LOGGING = new ReentrantLock();

    private static int users;
    private static boolean running;

    private EventLog() {}

    /** Keeps events being logged until it ends. Refers to nobody, so that a cleaner may hold it. */
    static final class Use {
        private boolean ended;

        private Use() {}

        void end() {
            synchronized (EventLog.class) {
                if (!ended) {
                    ended = true;
                    users--;
                    Native.eventsWake();
                }
            }
        }
    }

    static synchronized Use begin() {
        users++;
        if (!running) {
            try {
                daemon(EventLog::run).start();
                running = true;
            } catch (OutOfMemoryError noMoreThreads) {
                // The next generator tries again; until then events wait for the exit.
            }
        }
        return new Use();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(null, work, "leafmint-events", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    private static void run() {
        boolean ended = false;
        try {
            do {
                logAll();
            } while (goesOn());
            ended = true;
        } finally {
            if (!ended) {
                synchronized (EventLog.class) {
                    // The next generator starts another thread.
                    running = false;
                }
            }
        }
    }

    private static boolean goesOn() {
        synchronized (EventLog.class) {
            if (users == 0) {
                running = false;
                return false;
            }
        }
        Native.eventsWait();
        return true;
    }

    /** Logs what is left, for the exit: on a thread of its own, since a logger that hangs must not hold the exit up. */
    static void logRest() {
        try {
            Thread rest = daemon(EventLog::logAll);
            rest.start();
            rest.join(LONGEST_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError noMoreThreads) {
            // What is left is lost.
        }
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
            // A logger may throw anything, and nobody is there to catch it.
        }
    }

    private static void logOrThrow(String name, String level, String text) {
        try {
            Slf4j.log(name, level, text);
        } catch (LinkageError withoutSlf4j) {
            System.getLogger(NAME)
                    .log(System.Logger.Level.valueOf(level.equals("WARN") ? "WARNING" : level), name + ": " + text);
        }
    }

    /** Loaded with the first event: leafmint works without SLF4J. */
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
