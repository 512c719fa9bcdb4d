package io.github.leafmint.internal.gapless;

import io.github.leafmint.internal.lending.R2dbcProduct;
import io.github.leafmint.internal.lending.R2dbcSource;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Runs the statements of a call on a connection of R2DBC, one after the other, for one subscriber. */
public final class R2dbcRun<T> implements Subscription {
    private final Connection connection;
    private final Supplier<GaplessCall<T>> calls;
    private final Subscriber<? super T> subscriber;

    private boolean isBegun;
    private boolean isOver;

    private R2dbcRun(Connection connection, Supplier<GaplessCall<T>> calls, Subscriber<? super T> subscriber) {
        this.connection = connection;
        this.calls = calls;
        this.subscriber = subscriber;
    }

    /** Returns a publisher of what a call returns. Each subscriber has a call of its own. */
    public static <T> Publisher<T> publisher(Connection connection, Supplier<GaplessCall<T>> calls) {
        return subscriber -> subscriber.onSubscribe(new R2dbcRun<>(connection, calls, subscriber));
    }

    @Override
    public void request(long count) {
        if (count < 1) {
            fail(new IllegalArgumentException("request(" + count + "): request 1 or more"));
        } else if (begins()) {
            begin();
        }
    }

    private synchronized boolean begins() {
        boolean isFirst = !isBegun;
        isBegun = true;
        return isFirst;
    }

    @Override
    public void cancel() {
        ends();
    }

    private void begin() {
        try {
            GaplessCall<T> call = calls.get();
            if (inspect(call)) {
                proceed(call);
            }
        } catch (Throwable failure) {
            fail(failure);
        }
    }

    /** Returns whether the connection is fit. One that was closed may fail to say what it is. */
    private boolean inspect(GaplessCall<T> call) {
        String product;
        boolean commitsEach;
        try {
            product = R2dbcProduct.of(connection);
            commitsEach = connection.isAutoCommit();
        } catch (RuntimeException failure) {
            fail(call, failure);
            return false;
        }
        call.begin(product, commitsEach, "call beginTransaction()");
        return true;
    }

    /** Runs the next statement of a call, or emits its result. */
    private void proceed(GaplessCall<T> call) {
        GaplessStatement next = call.next();
        if (next == null) {
            emit(call.result());
            return;
        }
        var statement =
                new R2dbcStatement(next.hasRow(), answer -> answer(call, answer), failure -> fail(call, failure));
        if (goesOn()) {
            try {
                bound(next, call).execute().subscribe(statement);
            } catch (RuntimeException failure) {
                fail(call, failure);
            }
        }
    }

    private synchronized boolean goesOn() {
        return !isOver;
    }

    private Statement bound(GaplessStatement next, GaplessCall<T> call) {
        Statement statement = connection.createStatement(call.isNumbered() ? next.numbered() : next.sql());
        List<Object> values = next.values();
        for (int at = 0; at < values.size(); at++) {
            statement.bind(at, values.get(at));
        }
        return statement;
    }

    private void answer(GaplessCall<T> call, GaplessAnswer answer) {
        if (!goesOn()) {
            return;
        }
        try {
            call.answer(answer);
            proceed(call);
        } catch (Throwable failure) {
            fail(failure);
        }
    }

    private void emit(@Nullable T result) {
        if (ends()) {
            if (result != null) {
                subscriber.onNext(result);
            }
            subscriber.onComplete();
        }
    }

    /** Ends the run with what the driver has thrown. */
    private void fail(GaplessCall<T> call, Throwable failure) {
        R2dbcException answer = R2dbcSource.answerBehind(failure);
        fail(
                answer == null
                        ? call.failure(0, null, failure.toString(), failure)
                        : call.failure(answer.getErrorCode(), answer.getSqlState(), answer.getMessage(), failure));
    }

    private void fail(Throwable failure) {
        if (ends()) {
            subscriber.onError(failure);
        }
    }

    /** Ends the run. Returns whether it was not over yet. */
    private synchronized boolean ends() {
        boolean wasRunning = !isOver;
        isOver = true;
        return wasRunning;
    }
}
