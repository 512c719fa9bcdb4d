package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.ids.TypedId;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;

/** Stores the typed ids of a class as numbers. */
final class TypedIdTypeHandler<T extends TypedId> extends BaseTypeHandler<T> {
    private final Class<T> type;

    TypedIdTypeHandler(Class<T> type) {
        this.type = type;
    }

    @Override
    public void setNonNullParameter(PreparedStatement statement, int index, T id, JdbcType jdbcType)
            throws SQLException {
        statement.setLong(index, id.value());
    }

    @Override
    public T getNullableResult(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : TypedId.of(type, number);
    }

    @Override
    public T getNullableResult(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : TypedId.of(type, number);
    }

    @Override
    public T getNullableResult(CallableStatement statement, int parameter) throws SQLException {
        long number = statement.getLong(parameter);
        return statement.wasNull() ? null : TypedId.of(type, number);
    }
}
