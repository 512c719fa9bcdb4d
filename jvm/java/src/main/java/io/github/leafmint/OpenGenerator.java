package io.github.leafmint;

/**
 * Runs the threads that an open generator needs: one logs its events, one closes it if it is garbage-collected.
 *
 * <p>It does not refer to the generator.
 */
final class OpenGenerator {
    private final EventLog.Use events = EventLog.begin();
    private boolean ended;

    private OpenGenerator() {}

    static OpenGenerator begin() {
        Reaper.begin();
        return new OpenGenerator();
    }

    /** Ends the threads if no other generator needs them. A second call does nothing. */
    synchronized void end() {
        if (!ended) {
            ended = true;
            events.end();
            Reaper.end();
            LiveGenerators.removeHookIfIdle();
        }
    }
}
