package io.github.leafmint;

import org.jspecify.annotations.Nullable;

/** The native methods of snowflake generators. */
final class SnowflakeNatives extends GeneratorNatives {
    @Override
    long open(String url, String[] namesAndValues, String @Nullable [] list, long questions) {
        return Native.snowflakeOpen(url, namesAndValues, list, questions);
    }

    @Override
    long makeReady(long generator) {
        return Native.snowflakeMakeReady(generator);
    }

    @Override
    String readies() {
        return "a worker id";
    }

    @Override
    boolean closesAtExit(long generator) {
        return Native.snowflakeClosesAtExit(generator);
    }

    @Override
    String scope(long generator) {
        return Native.snowflakeScope(generator);
    }

    @Override
    long beginClose(long generator) {
        return Native.snowflakeBeginClose(generator);
    }

    @Override
    void free(long generator) {
        Native.snowflakeFree(generator);
    }
}
