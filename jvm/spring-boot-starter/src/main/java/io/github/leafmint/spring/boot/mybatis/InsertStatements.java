package io.github.leafmint.spring.boot.mybatis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;

/** Which statements of one session factory insert rows: also some that are declared as updates or queries. */
final class InsertStatements {
    private static final Pattern INSERT = Pattern.compile(
            "(?is)(\\s|\\(|/\\*.*?\\*/|--[^\\n]*\\n)*(insert|replace|merge|with\\b.*\\binsert\\s+into)\\b.*");

    /** By name: plug-ins make a copy of a statement for each call. */
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    boolean include(MappedStatement statement, Object parameter) {
        if (statement.getSqlCommandType() == SqlCommandType.INSERT) {
            return true;
        }
        Boolean isInsert = known.get(statement.getId());
        if (isInsert == null) {
            isInsert = INSERT.matcher(statement.getBoundSql(parameter).getSql()).matches();
            known.put(statement.getId(), isInsert);
        }
        return isInsert;
    }
}
