package io.github.leafmint.internal.threads;

import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of a {@link BackgroundCall}: polled on the {@link Waker}'s thread, and completed by a {@link Completer}.
 */
final class BackgroundFuture<T> implements Runnable {
    static {
        Completer.load(); // at the end of a call the class loader may be closed
    }

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final String what;
    private final BackgroundCall.Reader<T> reader;

    /** Keeps the generator reachable, and so open, until the call ends. */
    private @Nullable Object owner;

    /** The native work, which one thread at a time uses; 0 after its end. */
    private long pending;

    private @Nullable Boolean answer;
    private @Nullable String[] texts = {};
    private @Nullable Throwable failure;

    private long number;
    private long pause = Waiting.FIRST_PAUSE;
    private Waker.@Nullable Alarm alarm;

    BackgroundFuture(long pending, String what, BackgroundCall.Reader<T> reader, Object owner) {
        this.pending = pending;
        this.what = what;
        this.reader = reader;
        this.owner = owner;
    }

    synchronized CompletableFuture<T> start() {
        number = Waker.add(this::poll);
        if (number == 0) {
            end();
            throw new StoreUnavailableException("cannot wait for " + what + ", which goes on in the background: no"
                    + " thread can be started; raise the limit of threads, or the memory of the process");
        }
        future.whenComplete((answer, failure) -> end()); // also if it is cancelled, or completed by its user
        setAlarm();
        Native.wakerWake(number);
        return future;
    }

    private synchronized void poll() {
        if (pending == 0) {
            return;
        }
        if (answer == null && failure == null) {
            try {
                answer = Waiting.poll(pending);
                if (answer == null) {
                    setAlarm();
                    return;
                }
                texts = Native.pendingTexts(pending);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }
        Completer.add(this); // without memory for it, the alarm goes off again
        end();
    }

    private void setAlarm() {
        cancelAlarm();
        alarm = Waker.wakeAt(System.nanoTime() + pause, number);
        pause = Math.min(2 * pause, Waiting.LONGEST_UNWOKEN);
    }

    private void cancelAlarm() {
        if (alarm != null) {
            Waker.cancel(alarm);
            alarm = null;
        }
    }

    /** Completes the future. The {@link Completer} calls it. */
    @Override
    public void run() {
        if (answer == null || failure != null) {
            future.completeExceptionally(failure);
            return;
        }
        T read;
        try {
            read = reader.read(answer, texts);
        } catch (Throwable thrown) { // a list may be too large for the memory
            future.completeExceptionally(thrown);
            return;
        }
        future.complete(read);
    }

    private synchronized void end() {
        if (pending == 0) {
            return;
        }
        Waker.remove(number);
        cancelAlarm();
        Native.pendingEnd(pending);
        pending = 0;
        owner = null;
    }
}
