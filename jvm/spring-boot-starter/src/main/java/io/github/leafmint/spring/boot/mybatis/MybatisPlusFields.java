package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.github.leafmint.TypedId;
import io.github.leafmint.persistence.LeafmintId;
import java.lang.reflect.Field;

/** The fields that MyBatis-Plus does not fill in: those that are no key, and keys that are neither number nor text. */
final class MybatisPlusFields implements MintedFields {
    @Override
    public boolean include(Class<?> type, Field field) {
        TableInfo table = TableInfoHelper.getTableInfo(type);
        return table == null || !field.getName().equals(table.getKeyProperty()) || isKeyOfLeafmint(field);
    }

    private static boolean isKeyOfLeafmint(Field key) {
        LeafmintId tag = key.getAnnotation(LeafmintId.class);
        return TypedId.class.isAssignableFrom(key.getType())
                || tag != null && !tag.series().isEmpty();
    }

    @Override
    public String table(Class<?> type, String property) {
        TableInfo table = TableInfoHelper.getTableInfo(type);
        return table == null ? OF_MYBATIS.table(type, property) : tableOf(table);
    }

    /** Returns the table without its schema, as Hibernate and Spring Data name it: they would share the tag. */
    static String tableOf(TableInfo table) {
        String name = table.getTableName();
        return name.substring(name.lastIndexOf('.') + 1).replaceAll("[`\"\\[\\]]", "");
    }
}
