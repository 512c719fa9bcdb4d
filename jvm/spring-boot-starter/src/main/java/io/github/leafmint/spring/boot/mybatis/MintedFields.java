package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.InvalidConfigException;
import java.lang.reflect.Field;

/** Which annotated fields the interceptor mints, and what table their class is stored in. */
interface MintedFields {
    /** All of them, and no table: what MyBatis knows. */
    MintedFields OF_MYBATIS = new MintedFields() {
        @Override
        public boolean include(Class<?> type, Field field) {
            return true;
        }

        @Override
        public String table(Class<?> type, String property) {
            throw new InvalidConfigException(
                    "the tag of " + property + " has no name, and MyBatis knows no table: write @LeafmintId(\"name\")");
        }
    };

    boolean include(Class<?> type, Field field);

    /** Returns the default of a tag's name. */
    String table(Class<?> type, String property);
}
