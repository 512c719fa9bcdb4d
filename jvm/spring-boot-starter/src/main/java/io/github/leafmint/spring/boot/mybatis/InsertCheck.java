package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.IdConversion;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.ParameterMode;
import org.apache.ibatis.reflection.MetaObject;

/** Refuses inserts whose objects and rows would have different ids. */
final class InsertCheck {
    private final AnnotatedFields fields;
    private final NestedFields nested;

    /** What was found to be written: to look costs as much as to make the statement's text. */
    private final Set<Written> written = ConcurrentHashMap.newKeySet();

    /** A property that a statement writes. */
    private record Written(String statement, Class<?> type, String property) {}

    InsertCheck(AnnotatedFields fields) {
        this.fields = fields;
        nested = new NestedFields();
    }

    void check(InsertedIds row, Object parameter) {
        boolean mayReadNested = nested.areIn(parameter);
        for (InsertedIds.Inserted inserted : row.written()) {
            var property = new Written(
                    row.statement().getId(), inserted.type(), inserted.field().property());
            if (!written.contains(property)) {
                if (!new Values(row.statement(), parameter).include(inserted.value())) {
                    throw new InvalidConfigException(row.statement().getId() + " does not insert "
                            + inserted.type().getName() + "." + property.property()
                            + ", so that the object would have another id than its row: insert #{"
                            + property.property() + "}, or remove the annotation");
                }
                written.add(property);
            }
        }
        if (mayReadNested) {
            new Values(row.statement(), parameter).refuseUnset(fields);
        }
    }

    /** The values that a statement sends. */
    private static final class Values {
        private final MappedStatement statement;
        private final Object parameter;
        private final BoundSql sql;
        private final MetaObject properties;

        Values(MappedStatement statement, Object parameter) {
            this.statement = statement;
            this.parameter = parameter;
            sql = statement.getBoundSql(parameter);
            properties = statement.getConfiguration().newMetaObject(parameter);
        }

        boolean include(Object value) {
            for (ParameterMapping sent : sql.getParameterMappings()) {
                if (sent.getMode() != ParameterMode.OUT && value.equals(valueOf(sent.getProperty()))) {
                    return true;
                }
            }
            return sql.getSql().contains(value.toString()); // ${id}
        }

        /** Refuses the id of an object within a parameter: it may be a row of its own, which is not inserted here. */
        void refuseUnset(AnnotatedFields fields) {
            for (ParameterMapping sent : sql.getParameterMappings()) {
                String path = sent.getProperty();
                int end = path.lastIndexOf('.');
                Object owner = end < 0 || sent.getMode() == ParameterMode.OUT ? null : valueOf(path.substring(0, end));
                if (owner != null && isUnset(owner, path.substring(end + 1), fields)) {
                    throw new InvalidConfigException("the id #{" + path + "} of " + statement.getId()
                            + " is not set, and only parameters get ids: pass the "
                            + owner.getClass().getName() + " as a parameter (@Param), or set its id before");
                }
            }
        }

        private boolean isUnset(Object owner, String property, AnnotatedFields fields) {
            return fields.of(owner.getClass()).stream()
                            .anyMatch(field -> field.property().equals(property))
                    && IdConversion.isUnset(
                            statement.getConfiguration().newMetaObject(owner).getValue(property));
        }

        private Object valueOf(String path) {
            if (sql.hasAdditionalParameter(path)) {
                return sql.getAdditionalParameter(path);
            }
            boolean isWhole = parameter == null
                    || statement.getConfiguration().getTypeHandlerRegistry().hasTypeHandler(parameter.getClass());
            return isWhole ? parameter : properties.getValue(path);
        }
    }
}
