package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;

/**
 * Statements without their {@code useGeneratedKeys}: a driver reports what the table counted, also for a row that was
 * given its id, and the object would get the id of another row. Upserts keep it if the driver reports the id of a row
 * that was there.
 */
final class GeneratedKeys {
    private static final Pattern REPORTED = Pattern.compile("(?is).*\\b(on\\s+conflict\\b|last_insert_id\\s*\\().*");
    private static final Pattern UPSERT =
            Pattern.compile("(?is).*\\b(on\\s+duplicate\\s+key|insert\\s+ignore|merge\\s+into)\\b.*");

    /** One copy for each, if any: a batch is made of calls of the same. */
    private final Map<MappedStatement, Optional<MappedStatement>> copies =
            Collections.synchronizedMap(new WeakHashMap<>());

    MappedStatement without(MappedStatement statement, InsertedIds row, Object parameter) {
        Optional<MappedStatement> copy = copies.get(statement);
        if (copy == null) {
            copy = decide(statement, row, parameter);
            copies.put(statement, copy);
        }
        return copy.orElse(statement);
    }

    private static Optional<MappedStatement> decide(MappedStatement statement, InsertedIds row, Object parameter) {
        if (!(statement.getKeyGenerator() instanceof Jdbc3KeyGenerator)) {
            throw new InvalidConfigException("the <selectKey> of " + statement.getId() + " and an annotation both set "
                    + row.generatedName() + ": remove the <selectKey>, or the annotation");
        }
        if (statement.getKeyProperties().length > 1) {
            throw new InvalidConfigException("useGeneratedKeys of " + statement.getId() + " and an annotation both set "
                    + row.generatedName() + ": take it out of keyProperty and keyColumn, or remove the annotation");
        }
        String sql = statement.getBoundSql(parameter).getSql();
        if (REPORTED.matcher(sql).matches()) {
            return Optional.empty();
        }
        if (UPSERT.matcher(sql).matches()) {
            throw new InvalidConfigException(statement.getId() + " may leave a row its own id, and drivers report that"
                    + " of one row only, if the statement asks for it: insert one row, write ON DUPLICATE KEY UPDATE"
                    + " id = LAST_INSERT_ID(id), or remove useGeneratedKeys of " + row.generatedName());
        }
        return Optional.of(copy(statement));
    }

    private static MappedStatement copy(MappedStatement statement) {
        return new MappedStatement.Builder(
                        statement.getConfiguration(),
                        statement.getId(),
                        statement.getSqlSource(),
                        statement.getSqlCommandType())
                .keyGenerator(NoKeyGenerator.INSTANCE)
                .resource(statement.getResource())
                .parameterMap(statement.getParameterMap())
                .resultMaps(statement.getResultMaps())
                .fetchSize(statement.getFetchSize())
                .timeout(statement.getTimeout())
                .statementType(statement.getStatementType())
                .resultSetType(statement.getResultSetType())
                .cache(statement.getCache())
                .flushCacheRequired(statement.isFlushCacheRequired())
                .useCache(statement.isUseCache())
                .databaseId(statement.getDatabaseId())
                .lang(statement.getLang())
                .build();
    }
}
