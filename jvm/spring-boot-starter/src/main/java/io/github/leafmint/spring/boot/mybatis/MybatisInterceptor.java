package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.LeafmintId;
import io.github.leafmint.persistence.SnowflakeId;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.ValueSource;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;

/** Mints the ids of the objects that an insert is given: one, a collection or an array, also with {@code @Param}. */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
class MybatisInterceptor implements Interceptor {
    private final IdSources sources;
    private final MintedFields minted;

    /** No ClassValue: parameters may be of classes of the JDK, which would keep an undeployed application loaded. */
    private final Map<Class<?>, List<AnnotatedField>> fields = new ConcurrentHashMap<>();

    MybatisInterceptor(IdSources sources, MintedFields minted) {
        this.sources = sources;
        this.minted = minted;
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
                List<AnnotatedField> annotated = fields.computeIfAbsent(entity.getClass(), this::fieldsOf);
                if (!annotated.isEmpty()) {
                    MetaObject properties = configuration.newMetaObject(entity);
                    annotated.forEach(field -> field.mint(properties));
                }
            }
        }
    }

    /** Returns the annotated fields of a class, those of its superclasses too. */
    private List<AnnotatedField> fieldsOf(Class<?> type) {
        var annotated = new ArrayList<AnnotatedField>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                String name = type.getName() + "." + field.getName();
                ValueSource values = minted.include(type, field) ? valuesOf(field, type, name) : null;
                if (values != null) {
                    annotated.add(new AnnotatedField(settable(field, name), values));
                }
            }
        }
        if (annotated.isEmpty()) {
            AnnotatedGetter.refuse(type);
        }
        return List.copyOf(annotated);
    }

    private ValueSource valuesOf(Field field, Class<?> type, String name) {
        return sources.find(
                field.getAnnotation(LeafmintId.class),
                field.getAnnotation(SnowflakeId.class),
                () -> minted.table(type, name),
                field.getType(),
                name);
    }

    private static String settable(Field field, String name) {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new InvalidConfigException("MyBatis cannot set " + name
                    + ", which is final: take away the annotation, and mint the id where the object is made");
        }
        return field.getName();
    }

    /** An annotated field, and where its values come from. */
    private record AnnotatedField(String property, ValueSource values) {
        /** Sets the value of a new object. */
        void mint(MetaObject entity) {
            if (values.isUnset(entity.getValue(property))) {
                entity.setValue(property, values.next());
            }
        }
    }
}
