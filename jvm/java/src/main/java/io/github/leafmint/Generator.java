package io.github.leafmint;

import io.github.leafmint.internal.natives.GeneratorNatives;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.Reaper;
import io.github.leafmint.internal.threads.Answering;
import io.github.leafmint.internal.threads.EventLog;
import io.github.leafmint.internal.threads.LiveGenerators;
import io.github.leafmint.internal.threads.Waiting;
import java.lang.ref.Reference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Base class of the generators: owns the native generator from its opening to its close. */
abstract sealed class Generator implements AutoCloseable permits SegmentGenerator, SnowflakeGenerator {
    private final GeneratorNatives natives;
    private final Handle handle;
    private final Open open;
    private final @Nullable Answering asked;

    /** Takes ownership of a native generator, and of the threads that it asks, if there are any. */
    Generator(long handle, GeneratorNatives natives, @Nullable Answering asked) {
        this.natives = natives;
        this.asked = asked;
        open = Open.begin(natives, Answering.questionsOf(asked));
        this.handle = new Handle(handle, open);
    }

    /** Waits for what the option {@code eager} asks for, and registers the generator to be closed at exit. */
    final void start() {
        try {
            Waiting.untilDone(natives.makeReady(handle()), natives.readies());
        } catch (RuntimeException failure) {
            Native.pendingEnd(natives.beginClose(handle()));
            Answering.end(asked);
            open.end();
            throw failure;
        } finally {
            Reference.reachabilityFence(this);
        }
        if (natives.closesAtExit(handle())) {
            LiveGenerators.add(handle, natives);
        }
    }

    /**
     * Describes the store or holder, without credentials, and which processes share its ids.
     *
     * @return a text for people
     */
    public String scope() {
        try {
            long generator = handle();
            return natives.scope(generator);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Closes the generator and returns what it leased but did not use.
     *
     * <p>Returns within the option {@code timeout}, and half a second for a logger that hangs: otherwise its events are
     * logged by then. An interrupt does not end it early; the interrupt flag stays set. Afterwards every call that
     * mints throws {@link ClosedException}, also in threads that are waiting for an id. A second close does nothing.
     */
    @Override
    public void close() {
        try {
            long generator = handle();
            Waiting.untilDoneInAnyCase(natives.beginClose(generator));
            LiveGenerators.remove(handle);
            Answering.end(asked);
            open.end();
            EventLog.logRest();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the class name and the {@linkplain #scope() scope}.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + scope() + "]";
    }

    /** Returns the native generator, which is valid as long as this object is reachable. */
    final long handle() {
        return Handle.valueOf(handle, this);
    }

    /**
     * Runs the threads that an open generator needs: one logs its events, one closes it if it is garbage-collected.
     *
     * <p>It does not refer to the generator, which would never become unreachable.
     */
    private static final class Open implements LongConsumer {
        private final GeneratorNatives natives;
        private final @Nullable Handle questions;
        private final EventLog.Use events = EventLog.begin();
        private boolean ended;

        private Open(GeneratorNatives natives, @Nullable Handle questions) {
            this.natives = natives;
            this.questions = questions;
        }

        static Open begin(GeneratorNatives natives, @Nullable Handle questions) {
            // This also loads the class that the end needs: by then the class loader may be closed.
            LiveGenerators.removeHookIfIdle();
            Reaper.begin();
            return new Open(natives, questions);
        }

        /** Closes and frees a native generator whose owner has become unreachable. */
        @Override
        public void accept(long lost) {
            try {
                natives.free(lost, Answering.valueOf(questions));
            } finally {
                Reference.reachabilityFence(questions);
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
}
