package io.github.leafmint;

import org.jspecify.annotations.Nullable;

/** The native methods of segment generators. */
final class SegmentNatives extends GeneratorNatives {
    @Override
    long open(String url, String[] namesAndValues, String @Nullable [] list, long questions) {
        return Native.segmentOpen(url, namesAndValues, list, questions);
    }

    @Override
    long makeReady(long generator) {
        return Native.segmentMakeReady(generator);
    }

    @Override
    String readies() {
        return "the store";
    }

    @Override
    boolean closesAtExit(long generator) {
        return Native.segmentClosesAtExit(generator);
    }

    @Override
    String scope(long generator) {
        return Native.segmentScope(generator);
    }

    @Override
    long beginClose(long generator) {
        return Native.segmentBeginClose(generator);
    }

    @Override
    void free(long generator) {
        Native.segmentFree(generator);
    }
}
