package io.github.leafmint;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Declares the native methods, each named after what it belongs to.
 *
 * <p>Only {@link #eventsWait()}, {@link #wakerTake} and {@link #credentialsTake} block. A handle that is passed must
 * belong to an object that stays reachable during the call. Call {@link NativeLibrary#require()} before the first of
 * them.
 */
final class Native {
    /** Stands for an id or an answer that is not available yet. */
    static final long NOT_YET = -1;

    /** Stands for the option {@code timeout}. */
    static final double DEFAULT_TIMEOUT = Double.NaN;

    /** Asks for one id. */
    static final int ONE = 0;

    /** Asks for {@code count} ids in any number of ranges. */
    static final int MANY = 1;

    /** Asks for {@code count} consecutive ids. */
    static final int RUN = 2;

    private Native() {}

    // Segment generators

    static native long segmentOpen(String url, String[] texts, long[] numbers, long questions);

    static native long segmentMakeReady(long generator);

    static native boolean segmentClosesAtExit(long generator);

    static native long segmentBizTag(long generator, String name, long geneBits, boolean relaxed);

    static native long segmentCreateTag(
            long generator, String tag, long step, long start, String description, long geneBits);

    static native long segmentListTags(long generator);

    static native long segmentListSeries(long generator);

    /** {@code step} counts only if {@code hasStep}; {@code null} leaves the description as it is. */
    static native long segmentSetTag(
            long generator, String tag, boolean hasStep, long step, @Nullable String description);

    static native long segmentRaiseTag(long generator, String tag, long value, boolean isId);

    static native long segmentCheck(long generator);

    static native long segmentInitSchema(long generator);

    static native String segmentScope(long generator);

    /**
     * Returns a {@code String[]} and a {@code long[]}: the scope with the name and last error of each tag, and the
     * numbers of all tags.
     */
    static native Object[] segmentStats(long generator);

    static native long segmentBeginClose(long generator);

    static native void segmentFree(long generator, long questions);

    static native String[] segmentOptions();

    // Tags. The number of the calling thread selects the stripe of a relaxed tag; a strict tag ignores it.

    /** Returns the memory of the tag's limit cells: one, or one per stripe. {@link #tagFree} frees it with the tag. */
    static native ByteBuffer tagCells(long tag);

    /** Returns the core's layout of a limit cell: the offsets of cursor and limit, the size, and the closed mark. */
    static native long[] tagCellLayout();

    /** Judges a number that Java drew at or above the limit it had read before. Call it once for each such number. */
    static native long tagNextIdCold(long tag, long limit, long number);

    /** Does the same for a relaxed tag, after the stripe of {@code thread} has rejected a number. */
    static native long tagNextIdRelaxedCold(long tag, long thread);

    static native long tagTryNextId(long tag, long thread);

    /**
     * Begins a call for ids. Returns start and end of each range if they are available, else {@link #NOT_YET} and the
     * handle of a wait.
     */
    static native long[] tagTake(long tag, long thread, int want, long count, double timeoutSeconds);

    /**
     * Begins a call for one id with a gene. Returns what {@link #tagTake} returns; the id is the start of the range.
     */
    static native long[] tagTakeWithGene(long tag, long thread, long gene, double timeoutSeconds);

    /** Returns the numbers of the stats. A measure is passed as the bits of a double. */
    static native long[] tagStats(long tag);

    /** Returns the last failure, or {@code null} if there was none. */
    static native @Nullable String tagLastError(long tag);

    static native void tagFree(long tag);

    // Series

    /** {@code format} is a handle, or 0. */
    static native long seriesOpen(
            long generator, String name, String period, String zone, @Nullable String key, long step, long format);

    static native long seriesLargest(long series);

    /** Throws unless the number fits the format. */
    static native void seriesCheck(long series, long number);

    /** Returns the time in Unix milliseconds by which periods change. */
    static native long seriesTime(long series);

    /** Returns year, month and day of the first day of the period of a date, and those of the next period. */
    static native long[] seriesBounds(long series, long year, long month, long day);

    /** Enters a period, and returns its group. The calendar counts only if {@code hasPeriods}. */
    static native long seriesEnter(
            long series,
            long wall,
            long time,
            boolean hasPeriods,
            long year,
            long month,
            long day,
            long begins,
            long ends);

    /** Returns the group of a date. */
    static native long seriesOn(long series, long year, long month, long day);

    /** Returns from and until when a group is in force, and the first day of its period: year, month and day. */
    static native long[] seriesGroupFigures(long group);

    static native String seriesGroupText(long group);

    /** Begins a call for numbers of a group. Returns what {@link #tagTake} returns. */
    static native long[] seriesGroupTake(long group, int want, long count, double timeoutSeconds);

    /** Returns the tag of a group. */
    static native long seriesGroupTag(long series, long group);

    static native void seriesGroupFree(long group);

    static native void seriesFree(long series);

    // Snowflake generators

    static native long snowflakeOpen(String url, String[] texts, long[] numbers, long questions);

    static native long snowflakeMakeReady(long generator);

    static native boolean snowflakeClosesAtExit(long generator);

    /** Returns the next id, or {@link #NOT_YET} if the caller has to wait. */
    static native long snowflakeNextId(long generator);

    /**
     * Begins a call for ids. Returns the ids if they are available, else {@link #NOT_YET} and the handle of a wait.
     * {@code gene} counts only if {@code hasGene}.
     */
    static native long[] snowflakeTake(
            long generator, int want, long count, boolean hasGene, long gene, double timeoutSeconds);

    /** Begins a call for ids of past moments, in Unix milliseconds. Returns as {@link #snowflakeTake} does. */
    static native long[] snowflakeBackfill(
            long generator, long[] moments, boolean hasGene, long gene, double timeoutSeconds);

    static native long snowflakeLayout(long generator);

    /** Returns the worker id, or {@link #NOT_YET} if there is none. */
    static native long snowflakeWorkerId(long generator);

    static native String snowflakeScope(long generator);

    static native @Nullable String[] snowflakeStats(long generator);

    static native long snowflakeListWorkers(long generator);

    static native long snowflakeReleaseWorker(long generator, long workerId, boolean force);

    static native long snowflakeCheck(long generator);

    static native long snowflakeBeginClose(long generator);

    static native void snowflakeFree(long generator, long questions);

    static native String[] snowflakeOptions();

    // Clocks that only a test moves

    static native long virtualClockAt(long millis);

    static native long virtualClockMillis(long clock);

    static native void virtualClockPass(long clock, long millis);

    static native void virtualClockMoveTo(long clock, long millis);

    /** Opens a snowflake generator on the clock. */
    static native long virtualClockOpen(long clock, long workerId, String[] texts, long[] numbers);

    static native void virtualClockFree(long clock);

    // Calls for ids that have to wait, of either kind of generator

    /** Returns what the native that began the call returns once it has an answer, {@code null} before. */
    static native long @Nullable [] waitPoll(long wait);

    /**
     * Returns for how many nanoseconds the call may stay unpolled if nothing wakes it: until its tick or its timeout.
     */
    static native long waitDue(long wait);

    /**
     * Makes {@link #wakerTake} return {@code number} whenever the call may have progressed. Poll once more after this
     * call.
     */
    static native void waitWake(long wait, long number);

    static native void waitEnd(long wait);

    /** Waits up to {@code nanos} nanoseconds for calls to wake, and returns their numbers. */
    static native long[] wakerTake(long nanos);

    /** Makes {@link #wakerTake} return {@code number} once. */
    static native void wakerWake(long number);

    // Work of a generator in the background

    /** Returns 0 or 1 once the work is done, {@link #NOT_YET} before. Throws what the work fails with. */
    static native long pendingPoll(long pending);

    /** Returns the texts of work that is done and whose answer is texts. */
    static native @Nullable String[] pendingTexts(long pending);

    static native void pendingEnd(long pending);

    // Layouts

    /** Parses a layout. {@code epochMillis} counts only if {@code hasEpoch}. */
    static native long layoutOf(String text, boolean hasEpoch, long epochMillis);

    /** Returns the bits of all parts from timestamp to gene, then unit, epoch, end of the time bits and last id. */
    static native long[] layoutFigures(long layout);

    static native String layoutFingerprint(long layout);

    /** Returns timestamp, datacenter, worker id, sequence and gene. */
    static native long[] layoutDecode(long layout, long id);

    static native long layoutCompose(
            long layout, long tick, long datacenterId, long workerId, long sequence, long gene);

    static native long layoutTickAt(long layout, long atMillis);

    static native long layoutMinId(long layout, long atMillis);

    static native long layoutMaxId(long layout, long atMillis);

    /** Returns the start and the end of the range of the ids of a span. */
    static native long[] layoutIdRange(long layout, long startMillis, long endMillis);

    static native void layoutFree(long layout);

    // Shard rules

    static native long shardRuleOf(String businessCode, long tables, long tableWidth, String strategy);

    static native long shardRuleTableOfText(long rule, String key);

    static native long shardRuleTableOfInt(long rule, long key);

    static native String shardRuleCompose(long rule, long sequence, long table);

    /** Returns sequence and table. */
    static native long[] shardRuleParse(long rule, String text);

    static native void shardRuleFree(long rule);

    // Formats

    static native long formatOf(String text);

    /** Returns the most bytes of a text, without those of the key. */
    static native long formatMostBytes(long format);

    /**
     * Writes a number in UTF-8 into {@code text}, which has room for it, and returns the number of bytes. The date
     * counts only if {@code hasDate}, the shard only if {@code hasShard}; {@code key} is in UTF-8.
     */
    static native long formatFormat(
            long format,
            long number,
            boolean hasDate,
            long year,
            long month,
            long day,
            byte @Nullable [] key,
            boolean hasShard,
            long shard,
            byte[] text);

    /** Returns number, date, key and shard, {@code null} for what the format does not have. */
    static native @Nullable String[] formatParse(long format, String text, boolean forgiving);

    static native void formatFree(long format);

    // Public ids and their keys. Texts are in UTF-8.

    static native long publicKeysParse(byte[] text);

    static native long publicKeysOfBytes(long number, byte[] secret);

    static native long publicKeysFromFile(String path);

    static native long publicKeysFromEnvironment(String variable);

    static native String publicKeysGenerate(long number);

    static native long[] publicKeysNumbers(long keys);

    static native void publicKeysFree(long keys);

    static native long publicIdsOf(String name, long keys, String prefix);

    /** Returns the number of bytes of each text. */
    static native long publicIdsLength(long publicIds);

    static native String publicIdsPattern(long publicIds);

    /** Writes an id into {@code text}, which has room for it, and returns the number of bytes. */
    static native long publicIdsEncode(long publicIds, long id, byte[] text);

    static native long publicIdsDecode(long publicIds, byte[] text);

    /** Writes the texts of ids one after another into {@code column}, and returns the number of bytes. */
    static native long publicIdsEncodeAll(long publicIds, long[] ids, byte[] column);

    /** Reads texts that follow one another into {@code ids}, and returns how many they are. */
    static native long publicIdsDecodeAll(long publicIds, byte[] column, long[] ids);

    static native void publicIdsFree(long publicIds);

    // Scrambled numbers. Texts are in UTF-8.

    /** {@code keyNumber} counts only if {@code hasKeyNumber}. */
    static native long scrambledOf(String name, long keys, boolean hasKeyNumber, long keyNumber, long format);

    static native long scrambledLargest(long scrambled);

    static native String scrambledPattern(long scrambled);

    /** Writes an id into {@code text} if it has room for it, and returns the number of bytes. */
    static native long scrambledEncode(long scrambled, long id, byte[] text);

    static native long scrambledDecode(long scrambled, byte[] text, boolean forgiving);

    static native void scrambledFree(long scrambled);

    // The texts of typed ids, in UTF-8

    /** {@code keyNumber} counts only if {@code hasKeyNumber}. */
    static native long idTextOf(
            String form,
            String name,
            @Nullable String prefix,
            @Nullable String format,
            boolean hasKeyNumber,
            long keyNumber);

    /** Returns 1 if the text needs keys, else 0. */
    static native long idTextNeedsKeys(long idText);

    static native String idTextPattern(long idText);

    static native String idTextExample(long idText);

    /** {@code keys} is a handle, or 0. */
    static native long idTextBind(long idText, long keys);

    static native void idTextFree(long idText);

    /** Writes an id into {@code text} if it has room for it, and returns the number of bytes. */
    static native long boundIdTextEncode(long boundIdText, long id, byte[] text);

    static native long boundIdTextDecode(long boundIdText, byte[] text);

    static native void boundIdTextFree(long boundIdText);

    // Numbers without gaps

    /**
     * Returns the statement that describes the table or {@code null}, the one that takes a number, and the one that
     * reads it or {@code null}.
     */
    static native @Nullable String[] gaplessStatements(String product, String series, long start);

    /** Judges the row of the statement that describes the table. */
    static native void gaplessTable(String product, @Nullable String @Nullable [] row);

    /** Judges the row of a number that was taken, and returns the number. */
    static native long gaplessNumber(String product, String series, long start, @Nullable String @Nullable [] row);

    /** Throws the exception of a statement that failed. */
    static native void gaplessFail(String product, String series, int number, @Nullable String state, String message);

    // Genes

    static native long geneOfText(String key, long bits);

    static native long geneOfInt(long key, long bits);

    static native long geneCompose(long number, long gene, long bits);

    static native long geneShardOf(long id, long bits);

    // Audit

    /**
     * Begins an audit, and returns pending work. {@code tags} are tables and their tags, {@code sinceColumns} the
     * tables and columns of an earlier report, and {@code since} its time and the bits of each number, or empty.
     *
     * @param questions what answers questions for credentials, 0 for nothing
     * @param layout a handle, or 0
     */
    static native long auditBegin(
            String url,
            String[] texts,
            long[] numbers,
            long questions,
            String[] tables,
            String[] tags,
            String[] ignored,
            long layout,
            String[] sinceColumns,
            long[] since);

    // Tables that are split by time

    /** Returns the first and last millisecond of a span; nothing if it is empty. */
    static native long[] momentsOfSpan(long startMillis, long endMillis);

    /** Returns the names of the tables from the first to the last day, each as year, month and day. */
    static native String[] periodTables(String pattern, long[] days);

    // Schema

    static native String schemaSql(String dialect);

    // Credentials

    static native long credentialsNew();

    /** Waits, for any length of time, for a question. Returns false if no other can come. */
    static native boolean credentialsTake(long questions);

    /** Answers the question that was taken. */
    static native void credentialsAnswer(long questions, String user, String password);

    static native void credentialsFail(long questions, String problem);

    /** Ends all questions, and the wait for one. */
    static native void credentialsEnd(long questions);

    static native void credentialsFree(long questions);

    // Events

    /** Waits, for any length of time, until there are events or {@link #eventsWake()} was called. */
    static native void eventsWait();

    static native void eventsWake();

    /** Returns and forgets all queued events: name, level and text of each. */
    static native String[] eventsTake();

    // Exit

    /**
     * Returns the JVM's own map of shutdown hooks, whose keys are the threads; do not change it. Returns {@code null}
     * if this JVM does not have one.
     */
    static native @Nullable Map<Thread, Thread> exitShutdownHooks();
}
