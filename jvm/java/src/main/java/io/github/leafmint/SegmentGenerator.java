package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
 *     BizTag order = ids.bizTag("order");
 *     System.out.println(order.nextId());
 * }
 * }</pre>
 */
public final class SegmentGenerator extends Generator {
    private final WeakCache<BizTag> strictTags = new WeakCache<>();
    private final WeakCache<BizTag> relaxedTags = new WeakCache<>();

    /** One for each period: a second one would lose a number whenever the first one changes the limit. */
    private final WeakCache<SeriesCells> seriesCells = new WeakCache<>();

    private final CopyOnWriteArrayList<Consumer<? super String>> tagListeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private SegmentGenerator(long handle, @Nullable CredentialsThread credentials) {
        super(handle, GeneratorNatives.SEGMENTS, credentials);
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

    static SegmentGenerator open(String url, OptionValues options, @Nullable CredentialsSupplier supplier) {
        CredentialsThread credentials = CredentialsThread.start(supplier);
        long handle = CredentialsThread.opened(credentials, GeneratorNatives.SEGMENTS, url, options);
        var generator = new SegmentGenerator(handle, credentials);
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
     * Returns the tag with this name, without I/O: its first id leases the first segment.
     *
     * <p>As long as the application holds the tag, every call with its name returns the same object.
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @return the tag
     * @throws InvalidArgumentException if {@code name} is out of range
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name) {
        return bizTag(name, 0);
    }

    /**
     * Returns the tag with this name, whose ids carry a gene in their {@code geneBits} low bits.
     *
     * <p>The gene bits belong to the tag. They are stored when the tag is created, which the option {@code auto_create}
     * or {@link #createTag(String, long, long, String, long)} does. Minting with other gene bits, or with none, throws
     * {@link InvalidConfigException}; so a tag that is in use without gene bits cannot get any.
     *
     * <pre>{@code
     * BizTag order = ids.bizTag("order", 4);
     * long id = order.nextIdWithGene(Genes.geneOf("user-45", 4));
     * long shard = Genes.shardOf(id, 4);
     * }</pre>
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @param geneBits 1 to 12, or 0 for none
     * @return the tag
     * @throws InvalidArgumentException if an argument is out of range, or if this generator has the tag with other gene
     *     bits
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, long geneBits) {
        return bizTag(name, geneBits, Order.STRICT);
    }

    /**
     * Returns the tag with this name and order.
     *
     * <p>The order belongs to the returned object, not to the tag: a relaxed and a strict object of one tag never mint
     * the same id.
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @param order {@link Order#RELAXED} if many threads share the tag and need no order across threads
     * @return the tag
     * @throws InvalidArgumentException if {@code name} is out of range
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, Order order) {
        return bizTag(name, 0, order);
    }

    /**
     * Returns the tag with this name, gene bits and order: see {@link #bizTag(String, long)} and {@link #bizTag(String,
     * Order)}.
     *
     * @param name 1 to 128 code points, no NUL, no space at either end
     * @param geneBits 1 to 12, or 0 for none
     * @param order the order of its ids
     * @return the tag
     * @throws InvalidArgumentException if an argument is out of range, or if this generator has the tag with other gene
     *     bits
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, long geneBits, Order order) {
        requireNonNull(name, "name");
        requireNonNull(order, "order");
        handle();
        WeakCache<BizTag> tags = order == Order.RELAXED ? relaxedTags : strictTags;
        BizTag tag = closed ? null : tags.get(name);
        if (tag == null) {
            BizTag resolved = resolve(name, geneBits, order);
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
            return SegmentStats.read(Native.segmentStats(handle()));
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
     * Creates a tag with the first id 1 and no description, unless it exists.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step) {
        return createTag(tag, step, 1, "");
    }

    /**
     * Creates a tag, unless it exists.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first id, 0 or more
     * @param description at most 256 code points
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description) {
        return createTag(tag, step, start, description, 0);
    }

    /**
     * Creates a tag whose ids carry a gene, unless it exists: see {@link #bizTag(String, long)}.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first number, before the gene is appended, 0 or more
     * @param description at most 256 code points
     * @param geneBits 1 to 12, or 0 for none
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the tag exists with other gene bits
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description, long geneBits) {
        Text.name("the biz_tag", requireNonNull(tag, "tag"));
        Text.name("the description", requireNonNull(description, "description"));
        try {
            long pending = Native.segmentCreateTag(handle(), tag, step, start, description, geneBits);
            return Waiting.untilDone(pending, "createTag");
        } finally {
            Reference.reachabilityFence(this);
        }
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
        try {
            return TagInfo.readAll(Waiting.untilTexts(Native.segmentListTags(handle()), "listTags"));
        } finally {
            Reference.reachabilityFence(this);
        }
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
        try {
            return SeriesInfo.readAll(Waiting.untilTexts(Native.segmentListSeries(handle()), "listSeries"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Changes the step of a tag. Generators that use the tag read it within about a minute.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the column
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, long step) {
        setTag(tag, true, step, null);
    }

    /**
     * Changes the description of a tag.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param description at most 256 code points
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the column, or the table does not have it
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, String description) {
        setTag(tag, false, 0, requireNonNull(description, "description"));
    }

    /**
     * Changes the step and the description of a tag: see {@link #setTag(String, long)}.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param description at most 256 code points
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the columns, or the table does not have them
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, long step, String description) {
        setTag(tag, true, step, requireNonNull(description, "description"));
    }

    private void setTag(String tag, boolean hasStep, long step, @Nullable String description) {
        Text.name("the biz_tag", requireNonNull(tag, "tag"));
        if (description != null) {
            Text.name("the description", description);
        }
        try {
            Waiting.untilDone(Native.segmentSetTag(handle(), tag, hasStep, step, description), "setTag");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Raises the {@code max_id} of a tag to at least a value, for restores and migrations. It is never lowered.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param maxId above every id in use, 0 to 2<sup>61</sup> - 2<sup>30</sup>; with gene bits above every {@code id >>
     *     geneBits}
     * @return the value that is stored now: ids that are leased afterwards start there, or higher
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the row or the table cannot be used
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public long raiseTag(String tag, long maxId) {
        return raise(tag, maxId, false, "raiseTag");
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
        return raise(tag, id, true, "raiseTagAbove");
    }

    private long raise(String tag, long value, boolean isId, String call) {
        Text.name("the biz_tag", requireNonNull(tag, "tag"));
        try {
            String[] stored = Waiting.untilTexts(Native.segmentRaiseTag(handle(), tag, value, isId), call);
            return Long.parseLong(stored[0]);
        } finally {
            Reference.reachabilityFence(this);
        }
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
        try {
            return SegmentCheck.read(Waiting.untilTexts(Native.segmentCheck(handle()), "check"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Creates the tables that do not exist yet.
     *
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws InvalidConfigException if the account may not create tables; the message holds the SQL
     */
    public void initSchema() {
        try {
            Waiting.untilDone(Native.segmentInitSchema(handle()), "initSchema");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        super.close();
        strictTags.clear();
        relaxedTags.clear();
        seriesCells.clear();
    }

    private BizTag resolve(String name, long geneBits, Order order) {
        try {
            String checked = Text.name("the biz_tag", name);
            long tag = Native.segmentBizTag(handle(), checked, geneBits, order == Order.RELAXED);
            var resolved = new BizTag(checked, geneBits, order, this, tag);
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
