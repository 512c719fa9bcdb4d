package io.github.leafmint.internal.threads;

import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.natives.Native;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call for ids that completes a future: polled on the {@link Waker}'s thread when woken, without a thread of its own.
 */
public final class AsyncCall<T> implements Runnable {
    static {
        Completer.load(); // at the end of a call the class loader may be closed
    }

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<long[], T> reader;

    /** Keeps the generator reachable, and so open, until the call ends. */
    private @Nullable Object owner;

    /** The native call, which one thread at a time uses; 0 after its end. */
    private long wait;

    private long @Nullable [] answer;
    private @Nullable Throwable failure;

    private long number;
    private Waker.@Nullable Alarm alarm;

    private AsyncCall(long wait, Function<long[], T> reader, Object owner) {
        this.wait = wait;
        this.reader = reader;
        this.owner = owner;
    }

    /**
     * Returns the future of a call for ids, which is completed already if they are in hand.
     *
     * @param begin begins the call, and returns what its native returns
     * @param reader turns the native's answer into that of the call
     * @param owner what must stay reachable until the call ends
     */
    public static <T> CompletableFuture<T> begin(Supplier<long[]> begin, Function<long[], T> reader, Object owner) {
        try {
            long[] begun = begin.get();
            if (begun.length == 0 || begun[0] != Native.NOT_YET) {
                return CompletableFuture.completedFuture(reader.apply(begun));
            }
            return new AsyncCall<>(begun[1], reader, owner).start();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private synchronized CompletableFuture<T> start() {
        number = Waker.add(this::poll);
        if (number == 0) {
            end();
            throw new StoreUnavailableException("cannot wait for ids: no thread can be started; raise the limit of"
                    + " threads, or the memory of the process");
        }
        alarm = Waker.wakeAt(System.nanoTime() + Waiting.LONGEST_SLEEP, number);
        future.whenComplete((answer, failure) -> end()); // also if it is cancelled, or completed by its user
        Native.waitWake(wait, number);
        Native.wakerWake(number); // the first poll finds what changed before, and learns when the call is due
        return future;
    }

    private synchronized void poll() {
        if (wait == 0) {
            return;
        }
        if (answer == null && failure == null) {
            try {
                answer = Native.waitPoll(wait);
                if (answer == null) {
                    setAlarm();
                    return;
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }
        Completer.add(this); // without memory for it, the alarm goes off again
        end();
    }

    private void setAlarm() {
        long now = System.nanoTime();
        long at = now + Math.min(Native.waitDue(wait), Waiting.LONGEST_SLEEP);
        if (alarm != null && alarm.at() - now > 0 && alarm.at() - at <= 0) {
            return; // an early alarm costs one poll
        }
        cancelAlarm();
        alarm = Waker.wakeAt(at, number);
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
        T read = null;
        try {
            if (answer != null) {
                read = reader.apply(answer);
            }
        } catch (Throwable thrown) { // a batch may be too large for the memory
            failure = thrown;
        }
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(read);
        }
    }

    private synchronized void end() {
        if (wait == 0) {
            return;
        }
        Waker.remove(number);
        cancelAlarm();
        Native.waitEnd(wait);
        wait = 0;
        owner = null;
    }
}
