package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;

/**
 * Statements without their {@code useGeneratedKeys}: a driver reports what the table counted, also for a row that was
 * given its id, and the object would get the id of another row.
 */
final class GeneratedKeys {
    /** One copy for each: a batch is made of calls of the same. */
    private final Map<MappedStatement, MappedStatement> copies = Collections.synchronizedMap(new WeakHashMap<>());

    MappedStatement without(MappedStatement statement, InsertedIds row) {
        if (!(statement.getKeyGenerator() instanceof Jdbc3KeyGenerator)) {
            throw new InvalidConfigException("the <selectKey> of " + statement.getId() + " and an annotation both set "
                    + row.generatedName() + ": remove the <selectKey>, or the annotation");
        }
        if (statement.getKeyProperties().length > 1) {
            throw new InvalidConfigException("useGeneratedKeys of " + statement.getId() + " and an annotation both set "
                    + row.generatedName() + ": take it out of keyProperty and keyColumn, or remove the annotation");
        }
        return copies.computeIfAbsent(statement, GeneratedKeys::copy);
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
