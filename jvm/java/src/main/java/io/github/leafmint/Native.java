package io.github.leafmint;

/**
 * The natives. None of them blocks; a handle that is passed must belong to an object that stays reachable during the call.
 *
 * <p>{@link NativeLibrary#require()} comes before the first call.
 */
final class Native {
    /** Stands for an id, or an answer, that is not there yet. */
    static final long NOT_YET = -1;

    /** Stands for the option {@code timeout}. */
    static final double DEFAULT_TIMEOUT = Double.NaN;

    static final int ONE = 0;
    static final int MANY = 1;
    static final int RUN = 2;

    private Native() {}

    static native long open(String url, String[] namesAndValues, String[] tags);

    static native long makeReady(long generator);

    static native long bizTag(long generator, String name);

    static native long createTag(long generator, String tag, long step, long start, String description);

    static native long initSchema(long generator);

    static native long close(long generator);

    static native String scope(long generator);

    static native String[] stats(long generator);

    static native void generatorFree(long generator);

    static native long nextId(long tag);

    static native long tryNextId(long tag);

    static native void tagFree(long tag);

    /** Returns start and end of each range where they are in hand; else one number alone: a wait to poll and to end. */
    static native long[] take(long tag, int want, long count, double timeoutSeconds);

    static native long[] waitPoll(long wait);

    static native void waitEnd(long wait);

    static native long pendingPoll(long pending);

    static native void pendingEnd(long pending);

    static native String[] options();

    static native String schemaSql(String dialect);
}
