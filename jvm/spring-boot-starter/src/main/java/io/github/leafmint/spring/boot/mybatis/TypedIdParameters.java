package io.github.leafmint.spring.boot.mybatis;

import java.util.Collection;
import java.util.Map;
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

/** Registers typed ids that are parameters themselves, and not properties of one. */
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
            }),
    @Signature(
            type = Executor.class,
            method = "queryCursor",
            args = {MappedStatement.class, Object.class, RowBounds.class})
})
final class TypedIdParameters implements Interceptor {
    private final TypedIdHandlers handlers;

    TypedIdParameters(TypedIdHandlers handlers) {
        this.handlers = handlers;
    }

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        register(invocation.getArgs()[1]);
        return invocation.proceed();
    }

    private void register(Object parameter) {
        if (parameter instanceof Map<?, ?> named) {
            named.values().forEach(this::register);
        } else if (parameter instanceof Collection<?> many) {
            many.forEach(this::register);
        } else if (parameter instanceof Object[] many) {
            handlers.register(many.getClass().getComponentType());
        } else if (parameter != null) {
            handlers.register(parameter.getClass());
        }
    }
}
