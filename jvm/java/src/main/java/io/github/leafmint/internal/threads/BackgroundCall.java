package io.github.leafmint.internal.threads;

import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A call that the core answers in the background: a thread waits for the answer, or a future completes with it. */
public final class BackgroundCall<T> {
    private final Object owner;
    private final String what;
    private final LongSupplier begin;
    private final Reader<T> reader;

    /** Reads an answer: whether the call changed something, and the texts of records. */
    interface Reader<T> {
        T read(boolean changed, @Nullable String[] texts);
    }

    private BackgroundCall(Object owner, String what, LongSupplier begin, Reader<T> reader) {
        this.owner = owner;
        this.what = what;
        this.begin = begin;
        this.reader = reader;
    }

    /**
     * Returns a call whose answer is texts.
     *
     * @param owner what must stay reachable until the call ends
     * @param what the name of the call, for messages
     * @param begin begins the work, and returns what its native returns
     * @param reader turns the texts into the answer
     */
    public static <T> BackgroundCall<T> ofTexts(
            Object owner, String what, LongSupplier begin, Function<@Nullable String[], T> reader) {
        return new BackgroundCall<>(owner, what, begin, (changed, texts) -> reader.apply(texts));
    }

    /** Returns a call whose answer is whether it changed something. */
    public static BackgroundCall<Boolean> ofChange(Object owner, String what, LongSupplier begin) {
        return new BackgroundCall<>(owner, what, begin, (changed, texts) -> changed);
    }

    /** Waits for the answer. An interrupt ends the wait. */
    public T await() {
        long pending = begin.getAsLong();
        try {
            boolean changed = Waiting.await(pending, what);
            return reader.read(changed, Native.pendingTexts(pending));
        } finally {
            Native.pendingEnd(pending);
            Reference.reachabilityFence(owner);
        }
    }

    /** Returns a future of the answer, which costs no thread. If it is cancelled, the work still goes on to its end. */
    public CompletableFuture<T> future() {
        try {
            return new BackgroundFuture<>(begin.getAsLong(), what, reader, owner).start();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
