package io.github.leafmint.internal.gapless;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.lending.R2dbcRow;
import io.r2dbc.spi.Result;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads what a statement of R2DBC answers, one result after the other, to the end, even after the subscriber has
 * cancelled. The server carries out what was sent. After a cancel, MariaDB's driver may lose the order of the answers:
 * the next statement of the connection then waited for ever.
 */
final class R2dbcStatement implements Subscriber<Result> {
    private final boolean hasRow;
    private final Consumer<GaplessAnswer> answered;
    private final Consumer<Throwable> failed;

    /** The first row. */
    private @Nullable String @Nullable [] row;

    private long counted;
    private @Nullable Subscription results;
    private boolean isReading;
    private boolean isComplete;

    /** Passes on the answer, or what the driver throws. */
    R2dbcStatement(boolean hasRow, Consumer<GaplessAnswer> answered, Consumer<Throwable> failed) {
        this.hasRow = hasRow;
        this.answered = answered;
        this.failed = failed;
    }

    @Override
    public void onSubscribe(Subscription begun) {
        synchronized (this) {
            results = begun;
        }
        begun.request(1);
    }

    @Override
    public void onNext(Result result) {
        synchronized (this) {
            isReading = true;
        }
        read(result).subscribe(new Rows());
    }

    private Publisher<?> read(Result result) {
        return hasRow ? result.map((row, metadata) -> R2dbcRow.texts(row)) : result.getRowsUpdated();
    }

    @Override
    public void onError(Throwable failure) {
        failed.accept(failure);
    }

    @Override
    public void onComplete() {
        synchronized (this) {
            isComplete = true;
            if (isReading) {
                return;
            }
        }
        answered.accept(new GaplessAnswer(row, counted));
    }

    /** Goes on after a result was read. */
    private void readNext() {
        Subscription next;
        synchronized (this) {
            isReading = false;
            next = isComplete ? null : results;
        }
        if (next == null) {
            answered.accept(new GaplessAnswer(row, counted));
        } else {
            next.request(1);
        }
    }

    /** Reads the rows of one result. */
    private final class Rows implements Subscriber<Object> {
        @Override
        public void onSubscribe(Subscription begun) {
            begun.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Object part) {
            if (part instanceof Long count) {
                counted += count;
            } else if (row == null) {
                row = (String[]) part;
            }
        }

        @Override
        public void onError(Throwable failure) {
            failed.accept(failure);
            requireNonNull(results).request(Long.MAX_VALUE);
        }

        @Override
        public void onComplete() {
            readNext();
        }
    }
}
