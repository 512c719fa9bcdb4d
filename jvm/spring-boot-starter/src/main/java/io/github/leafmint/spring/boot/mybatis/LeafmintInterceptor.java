package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.spring.boot.persistence.IdSources;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.Configuration;

/** Mints the ids of the objects that an insert is given: one, a collection or an array, also with {@code @Param}. */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
class LeafmintInterceptor implements Interceptor {
    private final IdSources sources;

    /** No ClassValue: parameters may be of classes of the JDK, which would keep an undeployed application loaded. */
    private final Map<Class<?>, AnnotatedKey> keys = new ConcurrentHashMap<>();

    LeafmintInterceptor(IdSources sources) {
        this.sources = sources;
    }

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        var statement = (MappedStatement) invocation.getArgs()[0];
        if (statement.getSqlCommandType() == SqlCommandType.INSERT) {
            mint(invocation.getArgs()[1], statement.getConfiguration());
        }
        return invocation.proceed();
    }

    private void mint(Object parameter, Configuration configuration) {
        if (parameter instanceof Map<?, ?> named) {
            named.values().forEach(value -> mintAll(value, configuration));
        } else {
            mintAll(parameter, configuration);
        }
    }

    private void mintAll(Object parameter, Configuration configuration) {
        Collection<?> entities = parameter instanceof Collection<?> many
                ? many
                : parameter instanceof Object[] array ? Arrays.asList(array) : Collections.singletonList(parameter);
        for (Object entity : entities) {
            if (entity != null) {
                keys.computeIfAbsent(entity.getClass(), type -> AnnotatedKey.of(type, sources))
                        .mint(entity, configuration);
            }
        }
    }
}
