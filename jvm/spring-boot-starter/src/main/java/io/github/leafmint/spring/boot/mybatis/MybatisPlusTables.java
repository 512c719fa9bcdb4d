package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;

/** The tables of the entities of MyBatis-Plus, and none of other classes. */
final class MybatisPlusTables implements EntityTables {
    @Override
    public String table(Class<?> type, String property) {
        TableInfo table = TableInfoHelper.getTableInfo(type);
        return table == null ? OF_MYBATIS.table(type, property) : nameOf(table);
    }

    /** Returns the table without its schema, as Hibernate and Spring Data name it: they would share the tag. */
    static String nameOf(TableInfo table) {
        String name = table.getTableName();
        return name.substring(name.lastIndexOf('.') + 1).replaceAll("[`\"\\[\\]]", "");
    }
}
