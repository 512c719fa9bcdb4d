package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;

/** The tables that classes are stored in: the default of a tag's name. */
interface EntityTables {
    /** What MyBatis knows: none. */
    EntityTables OF_MYBATIS = (type, property) -> {
        throw new InvalidConfigException(
                "the tag of " + property + " has no name, and MyBatis knows no table: write @SegmentId(\"name\")");
    };

    /** Returns the table of a class. */
    String table(Class<?> type, String property);
}
