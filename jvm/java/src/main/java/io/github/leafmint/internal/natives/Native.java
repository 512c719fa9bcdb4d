package io.github.leafmint.internal.natives;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Declares the native methods, each named after what it belongs to. The macros of {@code jvm/src/natives.rs} declare
 * them in Rust.
 *
 * <p>Only {@link #eventsWait()}, {@link #wakerTake}, {@link #credentialsTake} and {@link #lendingTake} block. A handle
 * that is passed must belong to an object that stays reachable during the call. Call {@link NativeLibrary#require()}
 * before the first of them.
 */
public final class Native {
    /** Stands for an id or an answer that is not available yet. */
    public static final long NOT_YET = -1;

    /** Stands for the option {@code timeout}. */
    public static final double DEFAULT_TIMEOUT = Double.NaN;

    /** Asks for one id. */
    public static final int ONE = 0;

    /** Asks for {@code count} ids in any number of ranges. */
    public static final int MANY = 1;

    /** Asks for {@code count} consecutive ids. */
    public static final int RUN = 2;

    private Native() {}

    // Segment generators

    public static native long segmentOpen(String url, String[] texts, long[] numbers, long questions);

    public static native long segmentMakeReady(long generator);

    public static native boolean segmentClosesAtExit(long generator);

    public static native long segmentTag(long generator, String name, long geneBits, boolean relaxed);

    public static native long segmentCreateTag(
            long generator, String tag, long step, long start, String description, long geneBits);

    public static native long segmentListTags(long generator);

    public static native long segmentListSeries(long generator);

    public static native long segmentListGapless(long generator);

    /** {@code step} counts only if {@code hasStep}; {@code null} leaves the description as it is. */
    public static native long segmentSetTag(
            long generator, String tag, boolean hasStep, long step, @Nullable String description);

    public static native long segmentRaiseTag(long generator, String tag, long id);

    public static native long segmentCheck(long generator);

    public static native long segmentInitSchema(long generator);

    public static native String segmentScope(long generator);

    /**
     * Returns a {@code String[]} and a {@code long[]}: the scope with the name and last error of each tag, and the
     * numbers of all tags.
     */
    public static native Object[] segmentStats(long generator);

    public static native long segmentBeginClose(long generator);

    public static native void segmentFree(long generator, long questions);

    public static native String[] segmentOptions();

    // Tags. The number of the calling thread selects the stripe of a relaxed tag; a strict tag ignores it.

    /** Returns the memory of the tag's limit cells: one, or one per stripe. {@link #tagFree} frees it with the tag. */
    public static native ByteBuffer tagCells(long tag);

    /** Returns the core's layout of a limit cell: the offsets of cursor and limit, the size, and the closed mark. */
    public static native long[] tagCellLayout();

    /** Judges a number that Java drew at or above the limit it had read before. Call it once for each such number. */
    public static native long tagNextIdCold(long tag, long limit, long number);

    /** Does the same for a relaxed tag, after the stripe of {@code thread} has rejected a number. */
    public static native long tagNextIdRelaxedCold(long tag, long thread);

    public static native long tagTryNextId(long tag, long thread);

    /**
     * Begins a call for ids. Returns start and end of each range if they are available, else {@link #NOT_YET} and the
     * handle of a wait.
     */
    public static native long[] tagTake(long tag, long thread, int want, long count, double timeoutSeconds);

    /**
     * Begins a call for one id with a gene. Returns what {@link #tagTake} returns; the id is the start of the range.
     */
    public static native long[] tagTakeWithGene(long tag, long thread, long gene, double timeoutSeconds);

    /** Returns the numbers of the stats. A measure is passed as the bits of a double. */
    public static native long[] tagStats(long tag);

    /** Returns the last failure and its code, which are {@code null} if there was none. */
    public static native @Nullable String[] tagLastError(long tag);

    public static native void tagFree(long tag);

    // Series

    /** {@code format} is a handle, or 0. */
    public static native long seriesOpen(
            long generator, String name, String period, String zone, @Nullable String key, long step, long format);

    public static native long seriesLargest(long series);

    /** Throws unless the number fits the format. */
    public static native void seriesCheck(long series, long number);

    /** Returns the time in Unix milliseconds by which periods change. */
    public static native long seriesTime(long series);

    /** Returns year, month and day of the first day of the period of a date, and those of the next period. */
    public static native long[] seriesBounds(long series, long year, long month, long day);

    /** Enters a period, and returns its group. The calendar counts only if {@code hasPeriods}. */
    public static native long seriesEnter(
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
    public static native long seriesOn(long series, long year, long month, long day);

    /** Returns from and until when a group is in force, and the first day of its period: year, month and day. */
    public static native long[] seriesGroupFigures(long group);

    public static native String seriesGroupText(long group);

    /** Begins a call for numbers of a group. Returns what {@link #tagTake} returns. */
    public static native long[] seriesGroupTake(long group, int want, long count, double timeoutSeconds);

    /** Returns the tag of a group. */
    public static native long seriesGroupTag(long series, long group);

    public static native void seriesGroupFree(long group);

    public static native void seriesFree(long series);

    // Snowflake generators

    public static native long snowflakeOpen(String url, String[] texts, long[] numbers, long questions);

    public static native long snowflakeMakeReady(long generator);

    public static native boolean snowflakeClosesAtExit(long generator);

    /** Returns the next id, or {@link #NOT_YET} if the caller has to wait. */
    public static native long snowflakeNextId(long generator);

    /**
     * Begins a call for ids. Returns the ids if they are available, else {@link #NOT_YET} and the handle of a wait.
     * {@code gene} counts only if {@code hasGene}.
     */
    public static native long[] snowflakeTake(
            long generator, int want, long count, boolean hasGene, long gene, double timeoutSeconds);

    /** Begins a call for ids of past moments, in Unix milliseconds. Returns as {@link #snowflakeTake} does. */
    public static native long[] snowflakeBackfill(
            long generator, long[] moments, boolean hasGene, long gene, double timeoutSeconds);

    public static native long snowflakeLayout(long generator);

    /** Returns the worker id, or {@link #NOT_YET} if there is none. */
    public static native long snowflakeWorkerId(long generator);

    public static native String snowflakeScope(long generator);

    public static native @Nullable String[] snowflakeStats(long generator);

    public static native long snowflakeListWorkers(long generator);

    public static native long snowflakeReleaseWorker(long generator, long workerId, boolean force);

    public static native long snowflakeCheck(long generator);

    public static native long snowflakeBeginClose(long generator);

    public static native void snowflakeFree(long generator, long questions);

    public static native String[] snowflakeOptions();

    // Clocks that only a test moves

    public static native long virtualClockAt(long millis);

    public static native long virtualClockMillis(long clock);

    public static native void virtualClockPass(long clock, long millis);

    public static native void virtualClockMoveTo(long clock, long millis);

    /** Opens a snowflake generator on the clock. */
    public static native long virtualClockOpen(long clock, long workerId, String[] texts, long[] numbers);

    public static native void virtualClockFree(long clock);

    // Calls for ids that have to wait, of either kind of generator

    /** Returns what the native that began the call returns once it has an answer, {@code null} before. */
    public static native long @Nullable [] waitPoll(long wait);

    /**
     * Returns for how many nanoseconds the call may stay unpolled if nothing wakes it: until its tick or its timeout.
     */
    public static native long waitDue(long wait);

    /**
     * Makes {@link #wakerTake} return {@code number} whenever the call may have progressed. Poll once more after this
     * call.
     */
    public static native void waitWake(long wait, long number);

    public static native void waitEnd(long wait);

    /** Waits up to {@code nanos} nanoseconds for calls to wake, and returns their numbers. */
    public static native long[] wakerTake(long nanos);

    /** Makes {@link #wakerTake} return {@code number} once. */
    public static native void wakerWake(long number);

    // Work of a generator in the background

    /** Returns 0 or 1 once the work is done, {@link #NOT_YET} before. Throws what the work fails with. */
    public static native long pendingPoll(long pending);

    /** Returns the texts of work that is done and whose answer is texts. */
    public static native @Nullable String[] pendingTexts(long pending);

    public static native void pendingEnd(long pending);

    // Layouts

    /** Parses a layout. {@code epochMillis} counts only if {@code hasEpoch}. */
    public static native long layoutOf(String text, boolean hasEpoch, long epochMillis);

    /** Returns the bits of all parts from timestamp to gene, then unit, epoch, end of the time bits and last id. */
    public static native long[] layoutFigures(long layout);

    public static native String layoutFingerprint(long layout);

    /** Returns timestamp, datacenter, worker id, sequence and gene. */
    public static native long[] layoutDecode(long layout, long id);

    public static native long layoutCompose(
            long layout, long tick, long datacenterId, long workerId, long sequence, long gene);

    public static native long layoutTickAt(long layout, long atMillis);

    public static native long layoutMinId(long layout, long atMillis);

    public static native long layoutMaxId(long layout, long atMillis);

    /** Returns the start and the end of the range of the ids of a span. */
    public static native long[] layoutIdRange(long layout, long startMillis, long endMillis);

    public static native void layoutFree(long layout);

    // Shard rules

    public static native long shardRuleOf(String businessCode, long tables, long tableWidth, String strategy);

    public static native long shardRuleTableOfText(long rule, String key);

    public static native long shardRuleTableOfInt(long rule, long key);

    public static native String shardRuleCompose(long rule, long sequence, long table);

    /** Returns sequence and table. */
    public static native long[] shardRuleParse(long rule, String text);

    public static native void shardRuleFree(long rule);

    // Formats

    public static native long formatOf(String text);

    /** Returns the largest number that fits; 2^63 - 1 if the number has no width. */
    public static native long formatLargest(long format);

    /** Returns the most bytes of a text, without those of the key. */
    public static native long formatMostBytes(long format);

    /**
     * Writes a number in UTF-8 into {@code text}, which has room for it, and returns the number of bytes. The date
     * counts only if {@code hasDate}, the shard only if {@code hasShard}; {@code key} is in UTF-8.
     */
    public static native long formatFormat(
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
    public static native @Nullable String[] formatParse(long format, String text, boolean forgiving);

    public static native void formatFree(long format);

    // Public ids and their keys. Texts are in UTF-8.

    public static native long idKeysParse(byte[] text);

    public static native long idKeysOfBytes(long number, byte[] secret);

    public static native long idKeysFromFile(String path);

    public static native long idKeysFromEnvironment(String variable);

    public static native String idKeysGenerate(long number);

    public static native long[] idKeysNumbers(long keys);

    public static native String idKeysFingerprints(long keys);

    public static native void idKeysFree(long keys);

    public static native long publicIdsOf(String name, long keys, String prefix);

    /** Returns the number of bytes of each text. */
    public static native long publicIdsLength(long publicIds);

    public static native String publicIdsPattern(long publicIds);

    /** Writes an id into {@code text}, which has room for it, and returns the number of bytes. */
    public static native long publicIdsEncode(long publicIds, long id, byte[] text);

    public static native long publicIdsDecode(long publicIds, byte[] text);

    /** Writes the texts of ids one after another into {@code column}, and returns the number of bytes. */
    public static native long publicIdsEncodeAll(long publicIds, long[] ids, byte[] column);

    /** Reads texts that follow one another into {@code ids}, and returns how many they are. */
    public static native long publicIdsDecodeAll(long publicIds, byte[] column, long[] ids);

    public static native void publicIdsFree(long publicIds);

    // Scrambled numbers. Texts are in UTF-8.

    /** {@code keyNumber} counts only if {@code hasKeyNumber}. */
    public static native long scrambledOf(String name, long keys, boolean hasKeyNumber, long keyNumber, String format);

    public static native long scrambledLargest(long scrambled);

    public static native String scrambledPattern(long scrambled);

    /** Writes an id into {@code text} if it has room for it, and returns the number of bytes. */
    public static native long scrambledEncode(long scrambled, long id, byte[] text);

    public static native long scrambledDecode(long scrambled, byte[] text, boolean forgiving);

    public static native void scrambledFree(long scrambled);

    // The texts of typed ids, in UTF-8

    /** {@code keyNumber} counts only if {@code hasKeyNumber}. */
    public static native long idTextOf(
            String form,
            String name,
            @Nullable String prefix,
            @Nullable String format,
            boolean hasKeyNumber,
            long keyNumber);

    /** Returns 1 if the text needs keys, else 0. */
    public static native long idTextNeedsKeys(long idText);

    public static native String idTextPattern(long idText);

    public static native String idTextExample(long idText);

    /** {@code keys} is a handle, or 0. */
    public static native long idTextBind(long idText, long keys);

    public static native void idTextFree(long idText);

    /** Writes an id into {@code text} if it has room for it, and returns the number of bytes. */
    public static native long boundIdTextEncode(long boundIdText, long id, byte[] text);

    public static native long boundIdTextDecode(long boundIdText, byte[] text);

    public static native void boundIdTextFree(long boundIdText);

    // Sequences without gaps. A call is named by the database product, the number of numbers, 0 for the last one, and
    // the
    // year, month and day, 0 if there are no periods.

    public static native long gaplessSequence(
            String name, String period, String zone, @Nullable String key, long format, long start);

    /** Returns the period of a date, and its first day or {@code null}. */
    public static native @Nullable String[] gaplessGroup(long sequence, long year, long month, long day);

    /**
     * Returns the statement that describes the table, the one that takes numbers, and the one that reads the answer,
     * each of which may be {@code null}, and the three numbers that the second one carries after the row's name.
     */
    public static native @Nullable String[] gaplessStatements(
            long sequence, String product, long count, long year, long month, long day);

    /** Judges the row of the statement that describes the table. */
    public static native void gaplessTable(
            long sequence,
            String product,
            long count,
            long year,
            long month,
            long day,
            @Nullable String @Nullable [] row);

    /**
     * Judges the row that answers a call, and returns the first number, or nothing if there is none. The driver has
     * counted this many rows that the call has changed, if that is above 0.
     */
    public static native long[] gaplessFirst(
            long sequence,
            String product,
            long count,
            long year,
            long month,
            long day,
            @Nullable String @Nullable [] row,
            long counted);

    /** Throws the exception of a statement that failed. */
    public static native void gaplessFail(
            long sequence,
            String product,
            long count,
            long year,
            long month,
            long day,
            int number,
            @Nullable String state,
            String message);

    public static native void gaplessSequenceFree(long sequence);

    // Genes

    public static native long geneOfText(String key, long bits);

    public static native long geneOfInt(long key, long bits);

    public static native long geneCompose(long number, long gene, long bits);

    public static native long geneOfId(long id, long bits);

    // Audit

    /**
     * Begins an audit, and returns pending work. {@code tags} are tables and their tags, {@code sinceColumns} the
     * tables and columns of an earlier report, and {@code since} its time and the bits of each number, or empty.
     *
     * @param questions what the core asks, 0 for nothing
     * @param layout a handle, or 0
     */
    public static native long auditBegin(
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
    public static native long[] momentsOfSpan(long startMillis, long endMillis);

    /** Returns the names of the tables from the first to the last day, each as year, month and day. */
    public static native String[] periodTables(String pattern, long[] days);

    // Schema

    public static native String schemaSql(String dialect);

    public static native String version();

    // What the core asks of Java: credentials or connections

    /** Ends all questions, and the waits for one. */
    public static native void askedEnd(long questions);

    public static native void askedFree(long questions);

    // Credentials

    public static native long credentialsNew();

    /** Waits, for any length of time, for a question. Returns false if no other can come. */
    public static native boolean credentialsTake(long questions);

    /** Answers the question that was taken. */
    public static native void credentialsAnswer(long questions, String user, String password);

    public static native void credentialsFail(long questions, String problem);

    // Connections

    public static native long lendingNew(String name);

    /**
     * Waits up to {@code millis} milliseconds for a question. Returns its number, the connection, what is wanted and
     * the statements; nothing if the time has passed, and {@code null} if no other question can come.
     */
    public static native String @Nullable [] lendingTake(long questions, long millis);

    /**
     * Answers a question that was taken, as {@code LendingAnswer} writes it; {@code null} is no answer. Returns false
     * if nothing waits for it any more.
     */
    public static native boolean lendingAnswer(long questions, long number, byte @Nullable [] answer);

    // Events

    /** Waits, for any length of time, until there are events or {@link #eventsWake()} was called. */
    public static native void eventsWait();

    public static native void eventsWake();

    /** Returns and forgets all queued events: name, level and text of each. */
    public static native String[] eventsTake();

    // Exit

    /**
     * Returns the JVM's own map of shutdown hooks, whose keys are the threads; do not change it. Returns {@code null}
     * if this JVM does not have one.
     */
    public static native @Nullable Map<Thread, Thread> exitShutdownHooks();
}
