package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.WeakCache;
import io.github.leafmint.internal.lending.JdbcSource;
import io.github.leafmint.internal.natives.GeneratorNatives;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.OptionValues;
import io.github.leafmint.internal.natives.RecordReader;
import io.github.leafmint.internal.threads.Answering;
import io.github.leafmint.internal.threads.BackgroundCall;
import io.github.leafmint.status.GaplessInfo;
import io.github.leafmint.status.SegmentCheck;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SeriesInfo;
import io.github.leafmint.status.TagInfo;
import java.lang.ref.Reference;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Mints ids for any number of tags, from segments that it leases from a store.
 *
 * <p>Ids of one tag are 0 or more, unique within the {@linkplain #scope() scope}, and strictly increase within one
 * generator. Segments are leased ahead of need in the background, so an id in hand costs no I/O. A generator can be
 * used from any thread. If it becomes unreachable, it is closed in the background; if it is still open when the JVM
 * exits, it is closed after all other shutdown hooks. All generators together have half a second for that.
 *
 * <p>An interrupt ends every wait except that of {@link #close()}, with {@link StoreUnavailableException}. The
 * interrupt flag stays set, and the work itself goes on in the background.
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("sqlite:///ids.db")) {
 *     Tag order = ids.tag("order");
 *     System.out.println(order.nextId());
 * }
 * }</pre>
 */
public final class SegmentGenerator extends Generator {
    private final WeakCache<Tag> strictTags = new WeakCache<>();
    private final WeakCache<Tag> relaxedTags = new WeakCache<>();

    /** One for each period: a second one would lose a number whenever the first one changes the limit. */
    private final WeakCache<SeriesCells> seriesCells = new WeakCache<>();

    final KeptSeries keptSeries = new KeptSeries();

    /** The clock of its series; {@code null} if it is this machine's. */
    final @Nullable InstantSource clock;

    private final CopyOnWriteArrayList<Consumer<? super String>> tagListeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private SegmentGenerator(long handle, @Nullable Answering asked, @Nullable InstantSource clock) {
        super(handle, GeneratorNatives.SEGMENTS, asked);
        this.clock = clock;
    }

    /**
     * Opens a generator over {@code sqlite:///file.db}, {@code mysql://user:password@host/database},
     * {@code postgresql://user:password@host/database} or {@code memory:}.
     *
     * <p>It connects for the first id, unless the option {@code eager} is set.
     *
     * @param url the store, with options as query parameters
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, also what the first id would throw
     */
    public static SegmentGenerator open(String url) {
        return builder(url).open();
    }

    /**
     * Opens a generator over the database of the application, through the application's own data source: MySQL,
     * MariaDB, PostgreSQL, H2, HSQLDB, Derby or SQLite.
     *
     * <p>It connects for the first id, unless the option {@code eager} is set. Connections are taken on threads of its
     * own, never the caller's, for a moment each, and given back as they were. So a caller's transaction is not
     * touched, and a pool needs one connection more than those that wait for a first id.
     *
     * @param source the data source, which stays the application's: close it after the generator
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, also what the first id would throw
     */
    public static SegmentGenerator open(DataSource source) {
        return builder(source).open();
    }

    static SegmentGenerator built(OptionsBuilder<?> builder, @Nullable InstantSource clock) {
        OptionValues options = builder.coreOptions();
        Answering asked = builder.answering();
        long handle = Answering.opened(asked, GeneratorNatives.SEGMENTS, builder.url(), options);
        var generator = new SegmentGenerator(handle, asked, clock);
        generator.start();
        return generator;
    }

    /**
     * Returns a builder, for options that are not in the URL.
     *
     * @param url the store
     * @return the builder
     */
    public static SegmentGeneratorBuilder builder(String url) {
        return new SegmentGeneratorBuilder(requireNonNull(url, "url"));
    }

    /**
     * Returns a builder for the database of a data source: see {@link #open(DataSource)}.
     *
     * @param source the data source
     * @return the builder
     */
    public static SegmentGeneratorBuilder builder(DataSource source) {
        return new SegmentGeneratorBuilder(new JdbcSource(requireNonNull(source, "source")));
    }

    /**
     * Returns the tag with this name, without I/O: its first id leases the first segment.
     *
     * <p>As long as the application holds the tag, every call with its name returns the same object.
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @return the tag
     * @throws InvalidArgumentException if {@code name} is out of range
     * @throws ClosedException after {@link #close()}
     */
    public Tag tag(String name) {
        return tag(name, 0, IdOrder.STRICT);
    }

    /**
     * Returns the tag with this name, whose ids carry a gene or come in relaxed order: see {@link TagOptions}.
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @param options gene bits and order
     * @return the tag
     * @throws InvalidArgumentException if {@code name} or an option is out of range, or if this generator has the tag
     *     with other gene bits
     * @throws ClosedException after {@link #close()}
     */
    public Tag tag(String name, TagOptions options) {
        requireNonNull(options, "options");
        return tag(name, options.geneBits(), options.order());
    }

    private Tag tag(String name, long geneBits, IdOrder order) {
        requireNonNull(name, "name");
        handle();
        WeakCache<Tag> tags = order == IdOrder.RELAXED ? relaxedTags : strictTags;
        Tag tag = closed ? null : tags.get(name);
        if (tag == null) {
            Tag resolved = resolve(name, geneBits, order);
            tag = closed ? resolved : tags.keep(name, resolved);
        }
        // If the gene bits differ, the core throws the exception that names both.
        return tag.geneBits() == geneBits ? tag : resolve(name, geneBits, order);
    }

    /**
     * Returns a builder of a series: numbers that start again at 1 each day, month or year.
     *
     * <pre>{@code
     * Series invoices = ids.series("invoice")
     *         .period(SeriesPeriod.DAY)
     *         .zone(ZoneId.of("Europe/Madrid"))
     *         .open();
     * }</pre>
     *
     * @param name 1 to 117 code points, less those of a key, without {@code /}, {@literal @} and NUL
     * @return the builder
     */
    public SeriesBuilder series(String name) {
        handle();
        return new SeriesBuilder(this, requireNonNull(name, "name"));
    }

    /**
     * Returns the current statistics of each tag used so far. Also works after {@link #close()}.
     *
     * @return a snapshot
     */
    public SegmentStats stats() {
        try {
            return RecordReader.segmentStats(Native.segmentStats(handle()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Calls {@code listener} with the name of each tag: now with those known so far, later in the thread that asks for
     * another tag for the first time. For integrations that export the {@linkplain #stats() statistics} of each tag.
     *
     * <p>A name can be passed again. The listener must return soon, and is kept as long as the generator.
     *
     * <pre>{@code
     * ids.onTag(tag -> System.out.println("ids of " + tag + " are in use"));
     * }</pre>
     *
     * @param listener called with the name of a tag, from any thread
     */
    public void onTag(Consumer<? super String> listener) {
        requireNonNull(listener, "listener");
        handle();
        tagListeners.add(listener);
        stats().tags().keySet().forEach(listener);
    }

    /**
     * Returns a builder that creates a tag in the store: nothing happens before its {@link TagBuilder#create()}.
     *
     * <pre>{@code
     * boolean isNew = ids.createTag("order").step(2000).create();
     * }</pre>
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @return the builder
     */
    public TagBuilder createTag(String tag) {
        handle();
        return new TagBuilder(this, requireNonNull(tag, "tag"));
    }

    /**
     * Lists the tags of the store, sorted by name, without leasing anything.
     *
     * @return every tag; one whose row cannot be leased from has a {@linkplain TagInfo#problem() problem}
     * @throws ClosedException after {@link #close()}
     * @throws InvalidConfigException if the table is missing or the account may not read it
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<TagInfo> listTags() {
        return listing().await();
    }

    /**
     * Does what {@link #listTags()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<List<TagInfo>> listTagsAsync() {
        return listing().future();
    }

    private BackgroundCall<List<TagInfo>> listing() {
        return BackgroundCall.ofTexts(this, "listTags", () -> Native.segmentListTags(handle()), RecordReader::tags);
    }

    /**
     * Lists the series of the store, sorted by name. The tags of their periods are in {@link #listTags()}.
     *
     * @return the series that have had a number
     * @throws ClosedException after {@link #close()}
     * @throws InvalidConfigException if the account may not read their table
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<SeriesInfo> listSeries() {
        return listingOfSeries().await();
    }

    /**
     * Does what {@link #listSeries()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<List<SeriesInfo>> listSeriesAsync() {
        return listingOfSeries().future();
    }

    private BackgroundCall<List<SeriesInfo>> listingOfSeries() {
        return BackgroundCall.ofTexts(
                this, "listSeries", () -> Native.segmentListSeries(handle()), RecordReader::series);
    }

    /**
     * Lists the periods of the sequences without gaps in the database, sorted by name: see {@link GaplessSequence}.
     *
     * @return the periods that have had a number
     * @throws ClosedException after {@link #close()}
     * @throws InvalidConfigException if their table is missing or cannot count without gaps, if the account may not
     *     read it, or if the store has none
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<GaplessInfo> listGapless() {
        return listingOfGapless().await();
    }

    /**
     * Does what {@link #listGapless()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<List<GaplessInfo>> listGaplessAsync() {
        return listingOfGapless().future();
    }

    private BackgroundCall<List<GaplessInfo>> listingOfGapless() {
        return BackgroundCall.ofTexts(
                this, "listGapless", () -> Native.segmentListGapless(handle()), RecordReader::gapless);
    }

    /**
     * Returns a change of a tag in the store: nothing happens before its {@link TagChange#apply()}.
     *
     * <pre>{@code
     * ids.setTag("order").step(5000).description("orders of the shop").apply();
     * }</pre>
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @return the change
     */
    public TagChange setTag(String tag) {
        handle();
        return new TagChange(this, requireNonNull(tag, "tag"));
    }

    /**
     * Raises a tag above an id, for restores and migrations: ids that are leased afterwards are above it, also those
     * with gene bits. It is never lowered.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param id the highest id in use, or 0
     * @return the {@code max_id} that is stored now
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the row or the table cannot be used, or the account may not read the gene bits
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public long raiseTagAbove(String tag, long id) {
        return raise(tag, id).await();
    }

    /**
     * Does what {@link #raiseTagAbove} does, and blocks no thread.
     *
     * @param tag as in {@link #raiseTagAbove}
     * @param id as in {@link #raiseTagAbove}
     * @return a future of its answer
     */
    public CompletableFuture<Long> raiseTagAboveAsync(String tag, long id) {
        return raise(tag, id).future();
    }

    private BackgroundCall<Long> raise(String tag, long id) {
        requireNonNull(tag, "tag");
        LongSupplier begin = () -> Native.segmentRaiseTag(handle(), Text.name("the tag", tag), id);
        return BackgroundCall.ofTexts(this, "raiseTagAbove", begin, stored -> Long.valueOf(requireNonNull(stored[0])));
    }

    /**
     * Checks the store: connects, and checks the table, its columns and the account, without leasing anything.
     *
     * @return what was found
     * @throws InvalidConfigException if the account, the table or its columns do not fit
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public SegmentCheck check() {
        return checking().await();
    }

    /**
     * Does what {@link #check()} does, and blocks no thread.
     *
     * @return a future of its answer
     */
    public CompletableFuture<SegmentCheck> checkAsync() {
        return checking().future();
    }

    private BackgroundCall<SegmentCheck> checking() {
        return BackgroundCall.ofTexts(this, "check", () -> Native.segmentCheck(handle()), RecordReader::segmentCheck);
    }

    /**
     * Creates the tables that do not exist yet.
     *
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws InvalidConfigException if the account may not create tables; the message holds the SQL
     */
    public void initSchema() {
        initialization().await();
    }

    /**
     * Does what {@link #initSchema()} does, and blocks no thread.
     *
     * @return a future that completes as it returns
     */
    public CompletableFuture<Void> initSchemaAsync() {
        return initialization().future().thenRun(() -> {});
    }

    private BackgroundCall<Boolean> initialization() {
        return BackgroundCall.ofChange(this, "initSchema", () -> Native.segmentInitSchema(handle()));
    }

    @Override
    public void close() {
        closed = true;
        super.close();
        strictTags.clear();
        relaxedTags.clear();
        seriesCells.clear();
    }

    private Tag resolve(String name, long geneBits, IdOrder order) {
        try {
            String checked = Text.name("the tag", name);
            long tag = Native.segmentTag(handle(), checked, geneBits, order == IdOrder.RELAXED);
            var resolved = new Tag(checked, geneBits, order, this, tag);
            announce(checked);
            return resolved;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the cells of a period of a series, {@code null} if there are none. */
    @Nullable
    SeriesCells seriesCells(String name) {
        return seriesCells.get(name);
    }

    /** Returns the cells of a period of a series, or else opens them. */
    SeriesCells seriesCells(String name, Supplier<SeriesCells> opener) {
        SeriesCells known = seriesCells.get(name);
        return known == null ? seriesCells.keep(name, opener.get()) : known;
    }

    /** Passes the name of a tag, or of a series as the statistics name it, to the listeners. */
    void announce(String tag) {
        for (Consumer<? super String> listener : tagListeners) {
            listener.accept(tag);
        }
    }
}
