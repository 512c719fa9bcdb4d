package io.github.leafmint;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * The natives. None of them blocks but {@link #eventsWait()} and {@link #wakersTake}; a handle that is passed must belong to an object that stays reachable during the call.
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

    static native long bizTag(long generator, String name, long geneBits, boolean relaxed);

    static native long createTag(long generator, String tag, long step, long start, String description, long geneBits);

    static native long initSchema(long generator);

    static native long close(long generator);

    static native String scope(long generator);

    /** Returns a {@code String[]} with the scope, and name and last error of each tag, and a {@code long[]} with the numbers of all tags. */
    static native Object[] stats(long generator);

    static native void generatorFree(long generator);

    static native boolean closesAtExit(long generator);

    static native boolean snowflakeClosesAtExit(long generator);

    /** Returns the threads of all shutdown hooks, as the keys of a map that is not to be changed; {@code null} if they are not known. */
    static native Map<Thread, Thread> shutdownHooks();

    /** Returns the memory of the tag's limit cell, or cells with relaxed order; {@link #tagFree} belongs to the end of this buffer. */
    static native ByteBuffer cell(long tag);

    /** Returns the offsets of cursor and limit, the length of the cell and the closed mark, as the core has them. */
    static native long[] cellLayout();

    /** Judges a drawn number again, which lies at or above the limit seen before. */
    static native long nextIdCold(long tag, long limit, long number);

    /** Does the same with relaxed order: {@code thread} is the number of the thread, whose cell rejected what it drew. */
    static native long nextIdColdAt(long tag, long thread);

    /** Like every native below that takes a thread's number: it tells which cell to draw from where the order is relaxed. */
    static native long tryNextId(long tag, long thread);

    static native void tagFree(long tag);

    /** Returns the figures that are numbers: a measure as the bits of a double. */
    static native long[] tagStats(long tag);

    /** Returns the last failure, or {@code null}. */
    static native String tagLastError(long tag);

    /** Returns start and end of each range where they are in hand; else one number alone: a wait to poll and to end. */
    static native long[] take(long tag, long thread, int want, long count, double timeoutSeconds);

    /** Returns the same; the id is the start of the range. */
    static native long[] takeWithGene(long tag, long thread, long gene, double timeoutSeconds);

    static native long[] waitPoll(long wait);

    static native void waitEnd(long wait);

    /** Has {@link #wakersTake} return {@code number} whenever the call may have come further. Poll once more after this. */
    static native void waitWake(long wait, long number);

    /** Returns how many nanoseconds of the timeout are left. */
    static native long waitLeft(long wait);

    static native long pendingPoll(long pending);

    static native void pendingEnd(long pending);

    static native long snowflakeOpen(String url, String[] namesAndValues, String[] workerMap);

    static native long snowflakeMakeReady(long generator);

    static native long snowflakeNextId(long generator);

    /** Returns the ids where they are in hand; else {@link #NOT_YET} and a wait to poll and to end. */
    static native long[] snowflakeTake(
            long generator, int want, long count, boolean geneGiven, long gene, double timeoutSeconds);

    static native long[] snowflakeWaitPoll(long wait);

    /** Returns in how many nanoseconds the tick comes that is waited for; {@link #NOT_YET} where it is something else. */
    static native long snowflakeNextTick(long wait);

    static native void snowflakeWaitEnd(long wait);

    static native void snowflakeWaitWake(long wait, long number);

    static native long snowflakeWaitLeft(long wait);

    /** Waits for at most so many milliseconds until somebody is to be woken, and returns their numbers. */
    static native long[] wakersTake(long millis);

    static native long snowflakeLayout(long generator);

    static native long snowflakeWorkerId(long generator);

    static native long snowflakeClose(long generator);

    static native String snowflakeScope(long generator);

    static native String[] snowflakeStats(long generator);

    static native void snowflakeFree(long generator);

    /** Reads {@code epochMillis} only where it is given. */
    static native long layoutOf(String text, boolean epochGiven, long epochMillis);

    /** Returns the bits from timestamp to gene, then unit, epoch, end of the time bits and last id. */
    static native long[] layoutFigures(long layout);

    static native String layoutFingerprint(long layout);

    /** Returns timestamp, datacenter, worker id, sequence and gene. */
    static native long[] layoutDecode(long layout, long id);

    static native long layoutCompose(long layout, long tick, long datacenterId, long workerId, long sequence, long gene);

    static native long layoutTickAt(long layout, long atMillis);

    static native long layoutMinId(long layout, long atMillis);

    static native long layoutMaxId(long layout, long atMillis);

    static native void layoutFree(long layout);

    static native long shardRule(String businessCode, long tables, long tableWidth, String strategy);

    static native long shardTableOfText(long rule, String key);

    static native long shardTableOfInt(long rule, long key);

    static native String shardCompose(long rule, long sequence, long table);

    /** Returns sequence and table. */
    static native long[] shardParse(long rule, String text);

    static native void shardFree(long rule);

    static native long geneOfText(String key, long bits);

    static native long geneOfInt(long key, long bits);

    static native long withGene(long number, long gene, long bits);

    static native long shardOf(long id, long bits);

    static native String[] options();

    static native String[] snowflakeOptions();

    static native String schemaSql(String dialect);

    /** Waits, for as long as it takes, until there are events or {@link #eventsWake()} was called. */
    static native void eventsWait();

    static native void eventsWake();

    /** Returns name, level and text of each event that nobody has taken yet. */
    static native String[] eventsTake();
}
