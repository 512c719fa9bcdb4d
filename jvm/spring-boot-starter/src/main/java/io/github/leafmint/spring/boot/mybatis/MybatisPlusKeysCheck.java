package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.mapper.Mapper;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.ReflectionKit;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Refuses annotations that MyBatis-Plus would pass over: it asks for the id of a key with {@code ASSIGN_ID} only. */
class MybatisPlusKeysCheck implements SmartInitializingSingleton {
    private final ObjectProvider<SqlSessionFactory> sessions;

    MybatisPlusKeysCheck(ObjectProvider<SqlSessionFactory> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (SqlSessionFactory factory : sessions) {
            for (Class<?> mapper :
                    factory.getConfiguration().getMapperRegistry().getMappers()) {
                Class<?> entity = ReflectionKit.getSuperClassGenericType(mapper, Mapper.class, 0);
                TableInfo table = TableInfoHelper.getTableInfo(entity);
                if (table != null) {
                    check(table);
                }
            }
        }
    }

    private static void check(TableInfo table) {
        boolean annotated = false;
        for (Field field : ReflectionKit.getFieldMap(table.getEntityType()).values()) {
            String property = table.getEntityType().getName() + "." + field.getName();
            Annotation annotation = IdAnnotations.only(field::getAnnotation, property);
            if (annotation != null) {
                annotated = true;
                check(table, field, annotation);
            } else if (isKey(table, field) && isMinted(table) && TypedId.class.isAssignableFrom(field.getType())) {
                throw new InvalidConfigException("MyBatis-Plus would assign a number to the typed id "
                        + table.getEntityType().getName() + "." + field.getName()
                        + ": write @SegmentId or @SnowflakeId next to it");
            }
        }
        if (!annotated) {
            AnnotatedGetter.refuse(table.getEntityType());
        }
    }

    private static void check(TableInfo table, Field field, Annotation annotation) {
        if (isKey(table, field) && !isMinted(table)) {
            throw new InvalidConfigException("MyBatis-Plus would pass over @"
                    + annotation.annotationType().getSimpleName() + " of "
                    + table.getEntityType().getName() + "." + field.getName() + ", which has IdType."
                    + table.getIdType() + ": write @TableId(type = IdType.ASSIGN_ID) next to it");
        }
    }

    private static boolean isKey(TableInfo table, Field field) {
        return field.getName().equals(table.getKeyProperty());
    }

    private static boolean isMinted(TableInfo table) {
        return table.getIdType() == IdType.ASSIGN_ID;
    }
}
