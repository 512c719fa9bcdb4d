package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.gapless.R2dbcRun;
import io.r2dbc.spi.Connection;
import java.time.LocalDate;
import java.util.List;
import org.reactivestreams.Publisher;

/**
 * Takes numbers without gaps in a transaction of R2DBC, of MySQL, MariaDB or PostgreSQL. Only this class needs R2DBC on
 * the class path.
 *
 * <p>It is what the methods of {@link GaplessSequence} are for JDBC. Each subscriber runs the statements anew, and so
 * takes numbers of its own. No thread waits. A publisher emits what those methods throw.
 *
 * <pre>{@code
 * Publisher<SeriesNumber> number = R2dbcGapless.next(INVOICES, connection); // after connection.beginTransaction()
 * }</pre>
 */
public final class R2dbcGapless {
    private R2dbcGapless() {}

    /**
     * Returns a publisher of the next number of the present period.
     *
     * @param sequence the sequence
     * @param connection a connection in a transaction
     * @return a publisher of one number
     */
    public static Publisher<SeriesNumber> next(GaplessSequence sequence, Connection connection) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        return R2dbcRun.publisher(connection, () -> sequence.toNext(sequence.today()));
    }

    /**
     * Returns a publisher of the next number of the period that a date lies in, for a document of another day.
     *
     * @param sequence the sequence
     * @param connection a connection in a transaction
     * @param on the date, of the years 1 to 9999
     * @return a publisher of one number
     */
    public static Publisher<SeriesNumber> next(GaplessSequence sequence, Connection connection, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        requireNonNull(on, "on");
        return R2dbcRun.publisher(connection, () -> sequence.toNext(on));
    }

    /**
     * Returns a publisher of {@code count} consecutive numbers of the present period.
     *
     * @param sequence the sequence
     * @param connection a connection in a transaction
     * @param count 0 to 2<sup>26</sup>
     * @return a publisher of one list, which cannot be changed
     */
    public static Publisher<List<SeriesNumber>> nextMany(GaplessSequence sequence, Connection connection, long count) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        return R2dbcRun.publisher(connection, () -> sequence.toNextMany(count, sequence.today()));
    }

    /**
     * Returns a publisher of {@code count} consecutive numbers of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param connection a connection in a transaction
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return a publisher of one list, which cannot be changed
     */
    public static Publisher<List<SeriesNumber>> nextMany(
            GaplessSequence sequence, Connection connection, long count, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        requireNonNull(on, "on");
        return R2dbcRun.publisher(connection, () -> sequence.toNextMany(count, on));
    }

    /**
     * Returns a publisher of the last number of the present period.
     *
     * @param sequence the sequence
     * @param connection a connection
     * @return a publisher of the number; empty if the period has none
     */
    public static Publisher<SeriesNumber> last(GaplessSequence sequence, Connection connection) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        return R2dbcRun.publisher(connection, () -> sequence.toLast(sequence.today()));
    }

    /**
     * Returns a publisher of the last number of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param connection a connection
     * @param on the date, of the years 1 to 9999
     * @return a publisher of the number; empty if the period has none
     */
    public static Publisher<SeriesNumber> last(GaplessSequence sequence, Connection connection, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(connection, "connection");
        requireNonNull(on, "on");
        return R2dbcRun.publisher(connection, () -> sequence.toLast(on));
    }
}
