package io.github.leafmint;

/**
 * What goes on in Java while one generator is open: its events are logged, and it is closed if it is lost. It does not
 * refer to the generator.
 */
final class OpenGenerator {
    private final EventLog.Use events = EventLog.begin();
    private boolean ended;

    private OpenGenerator() {}

    static OpenGenerator begin() {
        Reaper.begin();
        return new OpenGenerator();
    }

    /** Ends it; a second call does nothing. */
    synchronized void end() {
        if (!ended) {
            ended = true;
            events.end();
            Reaper.end();
            LiveGenerators.removeHookIfIdle();
        }
    }
}
