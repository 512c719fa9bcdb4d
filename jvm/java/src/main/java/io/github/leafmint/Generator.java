package io.github.leafmint;

import java.lang.ref.Reference;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/** Base class of the generators: owns the native generator from its opening to its close. */
abstract sealed class Generator implements AutoCloseable permits SegmentGenerator, SnowflakeGenerator {
    private final Natives natives;
    private final Handle handle;
    private final OpenGenerator open;

    /**
     * The native methods of one kind of generator.
     *
     * @param makeReady begins what the option {@code eager} asks for, and returns pending work
     * @param readies what {@code makeReady} waits for
     * @param closesAtExit returns the option {@code close_at_exit}
     * @param scope returns the scope
     * @param beginClose begins the close, and returns pending work
     * @param free closes and frees the generator
     */
    record Natives(
            LongUnaryOperator makeReady,
            String readies,
            LongPredicate closesAtExit,
            LongFunction<String> scope,
            LongUnaryOperator beginClose,
            LongConsumer free) {}

    /** Takes ownership of a native generator. */
    Generator(long handle, Natives natives) {
        this.natives = natives;
        // Neither of these may refer to the generator: it would never become unreachable.
        OpenGenerator opened = OpenGenerator.begin();
        open = opened;
        this.handle = new Handle(handle, lost -> {
            natives.free().accept(lost);
            opened.end();
        });
    }

    /** Waits for what the option {@code eager} asks for, and registers the generator to be closed at exit. */
    final void start() {
        try {
            Waiting.untilDone(natives.makeReady().applyAsLong(handle()), natives.readies());
        } catch (RuntimeException failure) {
            Native.pendingEnd(natives.beginClose().applyAsLong(handle()));
            open.end();
            throw failure;
        } finally {
            Reference.reachabilityFence(this);
        }
        if (natives.closesAtExit().test(handle())) {
            LiveGenerators.add(handle, natives.beginClose());
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
            return natives.scope().apply(generator);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Closes the generator and returns what it leased but did not use.
     *
     * <p>Returns within the option {@code timeout}. An interrupt does not end it early; the interrupt flag stays set.
     * Afterwards every call that mints throws {@link ClosedException}, also in threads that are waiting for an id. A
     * second close does nothing.
     */
    @Override
    public void close() {
        try {
            long generator = handle();
            Waiting.untilDoneInAnyCase(natives.beginClose().applyAsLong(generator));
            LiveGenerators.remove(handle);
            open.end();
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
}
