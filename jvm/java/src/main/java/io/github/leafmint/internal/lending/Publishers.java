package io.github.leafmint.internal.lending;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Waits for publishers, one after the other. Any thread may end the wait. */
final class Publishers {
    private volatile @Nullable All<?> waited;
    private volatile boolean isCut;

    /** Waits for all that a publisher emits. */
    <T> List<T> all(Publisher<? extends T> publisher) throws Exception {
        var all = new All<T>();
        waited = all;
        if (isCut) {
            throw new IllegalStateException("the connection is closed");
        }
        publisher.subscribe(all);
        try {
            return all.done.get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw failure;
        } finally {
            waited = null;
        }
    }

    /** Ends the wait, and all later ones. */
    void cut() {
        isCut = true;
        All<?> ended = waited;
        if (ended != null) {
            ended.cut();
        }
    }

    /** Returns a publisher of one value. */
    static <T> Publisher<T> just(T value) {
        return subscriber -> subscriber.onSubscribe(new One<>(value, subscriber));
    }

    private static final class All<T> implements Subscriber<T> {
        private final List<T> items = new ArrayList<>();
        private final CompletableFuture<List<T>> done = new CompletableFuture<>();
        private volatile @Nullable Subscription subscription;

        void cut() {
            Subscription cancelled = subscription;
            if (cancelled != null) {
                cancelled.cancel();
            }
            done.completeExceptionally(new IllegalStateException("the connection was cut"));
        }

        @Override
        public void onSubscribe(Subscription begun) {
            subscription = begun;
            begun.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T item) {
            items.add(item);
        }

        @Override
        public void onError(Throwable failure) {
            done.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            done.complete(items);
        }
    }

    private static final class One<T> implements Subscription {
        private final T value;
        private final Subscriber<? super T> subscriber;
        private boolean isOver;

        One(T value, Subscriber<? super T> subscriber) {
            this.value = value;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (!isOver) {
                isOver = true;
                subscriber.onNext(value);
                subscriber.onComplete();
            }
        }

        @Override
        public void cancel() {
            isOver = true;
        }
    }
}
