package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Takes numbers without gaps in a transaction of the application: a number is given back if the transaction rolls back.
 *
 * <p>A series is a row of the table {@code leafmint_gapless}, which {@link Leafmint#schemaSql} creates in MySQL,
 * MariaDB, PostgreSQL and SQLite. It stays locked until the transaction ends, so take the number late. These are no
 * keys: one transaction at a time has a number of a series.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * long number = Gapless.next(connection, "invoice-2026");
 * insertInvoice(connection, number);
 * connection.commit();
 * }</pre>
 */
public final class Gapless {
    private Gapless() {}

    /**
     * Returns the next number of a series. The first one is 1.
     *
     * @param connection a connection in a transaction
     * @param series the name of the series, 1 to 128 characters
     * @return the number
     * @throws InvalidArgumentException if the connection commits each statement by itself, or if the name or the
     *     database cannot be used
     * @throws InvalidConfigException if the table is missing or cannot be used
     * @throws StoreUnavailableException if another transaction was in the way (reason {@code locked}) or the server
     *     failed: roll the transaction back, and repeat it as a whole. The cause is the driver's exception
     * @throws IdSpaceExhaustedException if the series has no next number
     */
    public static long next(Connection connection, String series) {
        return next(connection, series, 1);
    }

    /**
     * Returns the next number of a series, or its first one.
     *
     * @param connection a connection in a transaction
     * @param series the name of the series, 1 to 128 characters
     * @param start the first number of a series that has none
     * @return the number
     * @throws InvalidArgumentException if the connection commits each statement by itself, or if the name, the first
     *     number or the database cannot be used
     * @throws InvalidConfigException if the table is missing or cannot be used
     * @throws StoreUnavailableException if another transaction was in the way (reason {@code locked}) or the server
     *     failed: roll the transaction back, and repeat it as a whole. The cause is the driver's exception
     * @throws IdSpaceExhaustedException if the series has no next number
     */
    public static long next(Connection connection, String series, long start) {
        requireNonNull(connection, "connection");
        requireNonNull(series, "series");
        NativeLibrary.require();
        Text.name("the series", series);
        String product = productOf(connection, series);
        @Nullable String[] statements = Native.gaplessStatements(product, series, start);
        @Nullable String @Nullable [] row;
        try {
            if (connection.getAutoCommit()) {
                throw new InvalidArgumentException("no number of series \"" + Text.printable(series)
                        + "\": a number without gaps is taken in a transaction, and this connection commits each"
                        + " statement by itself: call setAutoCommit(false)");
            }
            row = take(connection, product, statements, series, start);
        } catch (SQLException failure) {
            throw named(product, series, failure);
        }
        return Native.gaplessNumber(product, series, start, row);
    }

    private static String productOf(Connection connection, String series) {
        try {
            return connection.getMetaData().getDatabaseProductName();
        } catch (SQLException failure) {
            var unavailable = new StoreUnavailableException(
                    "no number of series \"" + Text.printable(series) + "\": " + messageOf(failure));
            unavailable.initCause(failure);
            throw unavailable;
        }
    }

    private static @Nullable String @Nullable [] take(
            Connection connection, String product, @Nullable String[] statements, String series, long start)
            throws SQLException {
        if (statements[0] != null) {
            try (PreparedStatement looking = connection.prepareStatement(statements[0])) {
                Native.gaplessTable(product, rowOf(looking));
            }
        }
        try (PreparedStatement taking = connection.prepareStatement(requireNonNull(statements[1]))) {
            taking.setString(1, series);
            taking.setLong(2, start);
            if (statements[2] == null) {
                return rowOf(taking);
            }
            taking.executeUpdate();
        }
        try (PreparedStatement reading = connection.prepareStatement(statements[2])) {
            reading.setString(1, series);
            return rowOf(reading);
        }
    }

    /** Returns the columns of the first row as text, or {@code null} if there is none. */
    private static @Nullable String @Nullable [] rowOf(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            @Nullable String[] row = new String[rows.getMetaData().getColumnCount()];
            for (int column = 0; column < row.length; column++) {
                String text = rows.getString(column + 1);
                row[column] = text == null ? null : wellFormed(text);
            }
            return row;
        }
    }

    private static LeafmintException named(String product, String series, SQLException failure) {
        try {
            Native.gaplessFail(product, series, failure.getErrorCode(), failure.getSQLState(), messageOf(failure));
        } catch (LeafmintException named) {
            named.initCause(failure);
            return named;
        }
        throw new IllegalStateException(failure);
    }

    private static String messageOf(SQLException failure) {
        return wellFormed(String.valueOf(failure.getMessage()));
    }

    /** Returns a text without unpaired surrogates, which the core cannot read. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
