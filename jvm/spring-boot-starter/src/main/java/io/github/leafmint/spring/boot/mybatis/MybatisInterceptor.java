package io.github.leafmint.spring.boot.mybatis;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.ibatis.cache.CacheKey;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;

/**
 * Mints the ids of the objects that an insert is given: one, a collection or an array, also with {@code @Param}. An
 * insert that returns a row is a query to MyBatis.
 */
@Intercepts({
    @Signature(
            type = Executor.class,
            method = "update",
            args = {MappedStatement.class, Object.class}),
    @Signature(
            type = Executor.class,
            method = "query",
            args = {MappedStatement.class, Object.class, RowBounds.class, ResultHandler.class}),
    @Signature(
            type = Executor.class,
            method = "query",
            args = {
                MappedStatement.class,
                Object.class,
                RowBounds.class,
                ResultHandler.class,
                CacheKey.class,
                BoundSql.class
            })
})
class MybatisInterceptor implements Interceptor {
    private final InsertStatements inserts = new InsertStatements();
    private final AnnotatedFields fields;
    private final GeneratedKeys keys = new GeneratedKeys();
    private final InsertCheck check;

    MybatisInterceptor(AnnotatedFields fields) {
        this.fields = fields;
        check = new InsertCheck(fields);
    }

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        Object[] arguments = invocation.getArgs();
        var statement = (MappedStatement) arguments[0];
        if (inserts.include(statement, arguments[1])) {
            arguments[0] = mint(statement, arguments[1]);
        }
        return invocation.proceed();
    }

    /** Mints, and returns the statement without a key generator that would set other ids. */
    private MappedStatement mint(MappedStatement statement, Object parameter) {
        var row = new InsertedIds(statement);
        forEach(parameter, entity -> fields.of(entity.getClass()).forEach(field -> row.mint(entity, field)));
        check.check(row, parameter);
        return row.isGenerated() ? keys.without(statement, row, parameter) : statement;
    }

    private static void forEach(Object parameter, Consumer<Object> entities) {
        if (parameter instanceof Map<?, ?> named) {
            named.values().forEach(value -> elements(value).forEach(entities));
        } else {
            elements(parameter).forEach(entities);
        }
    }

    private static Collection<?> elements(Object parameter) {
        if (parameter instanceof Collection<?> many) {
            return many.stream().filter(each -> each != null).toList();
        }
        if (parameter instanceof Object[] array) {
            return Arrays.stream(array).filter(each -> each != null).toList();
        }
        return parameter == null ? List.of() : Collections.singletonList(parameter);
    }
}
