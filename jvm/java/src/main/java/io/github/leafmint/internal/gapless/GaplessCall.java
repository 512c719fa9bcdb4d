package io.github.leafmint.internal.gapless;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call that takes numbers of one period, or reads the last one: its statements in turn, and what their rows mean. For
 * one run.
 */
public final class GaplessCall<T> {
    private static final int LOOK = 0;
    private static final int TAKE = 1;
    private static final int READ = 2;
    private static final int NUMBERS = 3;

    /** The column of the answer of MySQL that has the server's count of rows. */
    private static final int ROW_COUNT = 3;

    private final Handle sequence;
    private final String row;

    /** 0 to read the last number, which is no reason to run anything if it takes. */
    private final long count;

    private final boolean takes;
    private final long year;
    private final long month;
    private final long day;
    private final LongFunction<T> reader;

    private String product = "";
    private @Nullable String[] statements = new String[NUMBERS];
    private int at = -1;
    private @Nullable String @Nullable [] answer;
    private long counted;

    private GaplessCall(
            Handle sequence, String row, @Nullable LocalDate on, boolean takes, long count, LongFunction<T> reader) {
        this.sequence = sequence;
        this.row = row;
        this.takes = takes;
        this.count = count;
        this.reader = reader;
        year = on == null ? 0 : on.getYear();
        month = on == null ? 0 : on.getMonthValue();
        day = on == null ? 0 : on.getDayOfMonth();
    }

    /**
     * Returns a call that takes numbers.
     *
     * @param row the name of the row
     * @param on a date of the period, {@code null} if there are no periods
     * @param reader turns the first number into the result
     */
    public static <T> GaplessCall<T> taking(
            long count, Handle sequence, String row, @Nullable LocalDate on, LongFunction<T> reader) {
        return new GaplessCall<>(sequence, row, on, true, count, reader);
    }

    /** Returns a call that reads the last number. */
    public static <T> GaplessCall<T> reading(
            Handle sequence, String row, @Nullable LocalDate on, LongFunction<T> reader) {
        return new GaplessCall<>(sequence, row, on, false, 0, reader);
    }

    /** Begins a run on a connection to a product. */
    void begin(String product, boolean commitsEach, String advice) {
        this.product = product;
        if (takesNothing()) {
            return;
        }
        try {
            statements = Native.gaplessStatements(sequence.value(), product, count, year, month, day);
        } finally {
            Reference.reachabilityFence(sequence);
        }
        if (commitsEach && takes) {
            throw new InvalidArgumentException("no number of sequence \"" + Text.printable(row)
                    + "\": a number without gaps is taken in a transaction, and this connection commits each statement"
                    + " by itself: " + advice);
        }
    }

    /** Returns the next statement, or {@code null} after the last. */
    @Nullable
    GaplessStatement next() {
        do {
            at++;
        } while (at < NUMBERS && statements[at] == null);
        if (at >= NUMBERS) {
            return null;
        }
        boolean hasRow = at != TAKE || statements[READ] == null;
        return new GaplessStatement(requireNonNull(statements[at]), values(), hasRow);
    }

    private List<Object> values() {
        return switch (at) {
            case LOOK -> List.of();
            case TAKE -> List.of(row, number(0), number(1), number(2));
            default -> List.of(row);
        };
    }

    private long number(int index) {
        return Long.parseLong(requireNonNull(statements[NUMBERS + index]));
    }

    /** Takes the answer of the statement. */
    void answer(GaplessAnswer of) {
        if (at == TAKE) {
            counted = of.counted();
        }
        if (at != LOOK) {
            answer = of.row();
            return;
        }
        try {
            Native.gaplessTable(sequence.value(), product, count, year, month, day, of.row());
        } finally {
            Reference.reachabilityFence(sequence);
        }
    }

    /** Returns what the statements have taken or read, or {@code null} if there is no last number. */
    @Nullable
    T result() {
        if (takesNothing()) {
            return reader.apply(0);
        }
        try {
            long[] first =
                    Native.gaplessFirst(sequence.value(), product, count, year, month, day, answer, hiddenCount());
            return first.length == 0 ? null : reader.apply(first[0]);
        } finally {
            Reference.reachabilityFence(sequence);
        }
    }

    /**
     * Returns the driver's own count of the rows if the server has none: a driver or a proxy may ping the server before
     * each statement, which sets its ROW_COUNT() to 0. Else 0, since there are drivers that correct their count.
     */
    private long hiddenCount() {
        return answer != null && answer.length > ROW_COUNT && "0".equals(answer[ROW_COUNT]) ? counted : 0;
    }

    private boolean takesNothing() {
        return takes && count == 0;
    }

    /** Returns whether the product numbers the places of values, as {@code $1}. */
    boolean isNumbered() {
        return product.equals("PostgreSQL");
    }

    /** Returns the exception of a statement that failed. */
    LeafmintException failure(int number, @Nullable String state, @Nullable String message, Throwable cause) {
        LeafmintException named = named(number, state, wellFormed(String.valueOf(message)));
        named.initCause(cause);
        return named;
    }

    private LeafmintException named(int number, @Nullable String state, String message) {
        if (product.isEmpty()) {
            return new StoreUnavailableException("no number of sequence \"" + Text.printable(row) + "\": " + message);
        }
        try {
            Native.gaplessFail(sequence.value(), product, count, year, month, day, number, state, message);
        } catch (LeafmintException named) {
            return named;
        } finally {
            Reference.reachabilityFence(sequence);
        }
        throw new IllegalStateException(message);
    }

    /** Returns a text without unpaired surrogates, which the core cannot read. */
    static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
