package io.github.leafmint;

import java.util.function.LongConsumer;

/**
 * Runs the threads that an open generator needs: one logs its events, one closes it if it is garbage-collected.
 *
 * <p>It does not refer to the generator.
 */
final class OpenGenerator implements LongConsumer {
    private final GeneratorNatives natives;
    private final EventLog.Use events = EventLog.begin();
    private boolean ended;

    private OpenGenerator(GeneratorNatives natives) {
        this.natives = natives;
    }

    static OpenGenerator begin(GeneratorNatives natives) {
        // This also loads the class that the end needs: by then the class loader may be closed.
        LiveGenerators.removeHookIfIdle();
        Reaper.begin();
        return new OpenGenerator(natives);
    }

    /** Closes and frees a native generator whose owner has become unreachable. */
    @Override
    public void accept(long lost) {
        try {
            natives.free(lost);
        } finally {
            end();
        }
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
