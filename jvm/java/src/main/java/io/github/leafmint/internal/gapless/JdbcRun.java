package io.github.leafmint.internal.gapless;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the statements of a call on a connection of JDBC. */
public final class JdbcRun {
    private JdbcRun() {}

    /** Returns the numbers of a call, or {@code null} if there are none. */
    public static <T> @Nullable T of(Connection connection, GaplessCall<T> call) {
        try {
            call.begin(
                    connection.getMetaData().getDatabaseProductName(),
                    connection.getAutoCommit(),
                    "call setAutoCommit(false)");
            for (GaplessStatement next = call.next(); next != null; next = call.next()) {
                call.answer(answer(connection, next));
            }
        } catch (SQLException failure) {
            throw call.failure(failure.getErrorCode(), failure.getSQLState(), failure.getMessage(), failure);
        }
        return call.result();
    }

    private static GaplessAnswer answer(Connection connection, GaplessStatement next) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(next.sql())) {
            List<Object> values = next.values();
            for (int at = 0; at < values.size(); at++) {
                statement.setObject(at + 1, values.get(at));
            }
            return next.hasRow()
                    ? new GaplessAnswer(firstRow(statement), 0)
                    : new GaplessAnswer(null, statement.executeUpdate());
        }
    }

    private static @Nullable String @Nullable [] firstRow(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            @Nullable String[] row = new String[rows.getMetaData().getColumnCount()];
            for (int column = 0; column < row.length; column++) {
                String text = rows.getString(column + 1);
                row[column] = text == null ? null : GaplessCall.wellFormed(text);
            }
            return row;
        }
    }
}
