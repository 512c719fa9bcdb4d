package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;

/**
 * Mints ids of many tags out of segments that one store leases.
 *
 * <p>Ids of one tag are unique among everyone who shares the store (see {@link #scope()}), 0 or more, and strictly
 * increase within one generator. A segment is taken ahead of need in the background, so that an id in hand costs no
 * I/O. A generator can be used from any thread. One that is neither closed nor reachable is closed in the background;
 * those that are live when the virtual machine exits are closed after all other shutdown hooks, within half a second.
 *
 * <p>An interrupt ends what waits, other than {@link #close()}, with {@link StoreUnavailableException}, and leaves the
 * interrupt flag set; the work itself goes on in the background.
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("sqlite:///ids.db")) {
 *     BizTag order = ids.bizTag("order");
 *     System.out.println(order.nextId());
 * }
 * }</pre>
 */
public final class SegmentGenerator implements AutoCloseable {
    private final Handle handle;
    private final OpenGenerator open;
    private final TagCache tags = new TagCache();
    private final TagCache relaxedTags = new TagCache();
    private volatile boolean closed;

    private SegmentGenerator(long handle) {
        OpenGenerator opened = OpenGenerator.begin();
        open = opened;
        this.handle = new Handle(handle, lost -> {
            Native.generatorFree(lost);
            opened.end();
        });
    }

    /**
     * Opens a generator over {@code sqlite:///file.db}, {@code mysql://user:password@host/database} or {@code memory:}.
     *
     * <p>Nothing is connected before the first id, unless the option {@code eager} is set.
     *
     * @param url the store, with options as query parameters
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@code eager}, what the first id would throw
     */
    public static SegmentGenerator open(String url) {
        return builder(url).open();
    }

    static SegmentGenerator open(String url, String[] namesAndValues, String[] tags) {
        var generator = new SegmentGenerator(Native.open(url, namesAndValues, tags));
        generator.makeReady();
        if (Native.closesAtExit(generator.handle())) {
            LiveGenerators.add(generator);
        }
        return generator;
    }

    /**
     * Returns a builder, for options that do not stand in the URL.
     *
     * @param url the store
     * @return the builder
     */
    public static SegmentGeneratorBuilder builder(String url) {
        return new SegmentGeneratorBuilder(requireNonNull(url, "url"));
    }

    /**
     * Returns the tag of that name, the same one for as long as it is held, without I/O: its first id takes the first
     * segment.
     *
     * @param name 1 to 128 code points, no NUL
     * @return the tag
     * @throws InvalidArgumentException for any other name
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name) {
        return bizTag(name, 0);
    }

    /**
     * Returns the tag of that name, whose ids carry a gene in their {@code geneBits} lowest bits.
     *
     * <p>The bits belong to the tag: they are stored when it is created, which the option {@code auto_create} or
     * {@link #createTag(String, long, long, String, long)} does. Whoever uses it with other bits, or with none, gets
     * {@link InvalidConfigException}; so a tag that is already used without them cannot have any.
     *
     * <pre>{@code
     * BizTag order = ids.bizTag("order", 4);
     * long id = order.nextIdWithGene(Genes.geneOf("user-45", 4));
     * long shard = Genes.shardOf(id, 4);
     * }</pre>
     *
     * @param name 1 to 128 code points, no NUL
     * @param geneBits 1 to 12, or 0 for none
     * @return the tag
     * @throws InvalidArgumentException for any other name or number of bits, and where this generator knows the tag
     *     with other bits
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, long geneBits) {
        return bizTag(name, geneBits, Order.STRICT);
    }

    /**
     * Returns the tag of that name, with its ids in this order.
     *
     * <p>The order belongs to the object returned, not to the tag: ids of a relaxed and of a strict one never meet.
     *
     * @param name 1 to 128 code points, no NUL
     * @param order {@link Order#RELAXED} where many threads share the tag and need no order among one another
     * @return the tag
     * @throws InvalidArgumentException for any other name
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, Order order) {
        return bizTag(name, 0, order);
    }

    /**
     * Returns the tag of that name, whose ids carry a gene, in this order: see {@link #bizTag(String, long)} and
     * {@link #bizTag(String, Order)}.
     *
     * @param name 1 to 128 code points, no NUL
     * @param geneBits 1 to 12, or 0 for none
     * @param order the order of its ids
     * @return the tag
     * @throws InvalidArgumentException for any other name or number of bits, and where this generator knows the tag
     *     with other bits
     * @throws ClosedException after {@link #close()}
     */
    public BizTag bizTag(String name, long geneBits, Order order) {
        requireNonNull(name, "name");
        requireNonNull(order, "order");
        handle();
        TagCache known = order == Order.RELAXED ? relaxedTags : tags;
        BizTag tag =
                closed ? resolve(name, geneBits, order) : known.get(name, absent -> resolve(absent, geneBits, order));
        // Where the numbers differ, the core says so.
        return tag.geneBits() == geneBits ? tag : resolve(name, geneBits, order);
    }

    /**
     * Inserts a tag that is not there yet, with 1 as its first id and no description.
     *
     * @param tag 1 to 128 code points, no NUL
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @return whether it was inserted
     * @throws InvalidArgumentException for a name or step out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException where the store cannot be reached
     */
    public boolean createTag(String tag, long step) {
        return createTag(tag, step, 1, "");
    }

    /**
     * Inserts a tag that is not there yet.
     *
     * @param tag 1 to 128 code points, no NUL
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first id, 0 or more
     * @param description at most 256 code points
     * @return whether it was inserted
     * @throws InvalidArgumentException for an argument out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException where the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description) {
        return createTag(tag, step, start, description, 0);
    }

    /**
     * Inserts a tag that is not there yet, whose ids carry a gene: see {@link #bizTag(String, long)}.
     *
     * @param tag 1 to 128 code points, no NUL
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first number, before the gene is put below it, 0 or more
     * @param description at most 256 code points
     * @param geneBits 1 to 12, or 0 for none
     * @return whether it was inserted
     * @throws InvalidArgumentException for an argument out of range
     * @throws InvalidConfigException where the tag is there with other gene bits or with none
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException where the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description, long geneBits) {
        Text.name("the biz_tag", requireNonNull(tag, "tag"), InvalidArgumentException::new);
        Text.name("the description", requireNonNull(description, "description"), InvalidArgumentException::new);
        try {
            return Waiting.untilDone(Native.createTag(handle(), tag, step, start, description, geneBits), "createTag");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Creates the tables that are not there yet.
     *
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException where the store cannot be reached
     * @throws InvalidConfigException where the account may not create tables; the message holds the SQL
     */
    public void initSchema() {
        try {
            Waiting.untilDone(Native.initSchema(handle()), "initSchema");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns what became of the ids of each tag used so far. It works after {@link #close()} too.
     *
     * @return a snapshot
     */
    public SegmentStats stats() {
        try {
            return SegmentStats.read(Native.stats(handle()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Names the store, without credentials, and says who shares its ids.
     *
     * @return a text for people
     */
    public String scope() {
        try {
            return Native.scope(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Ends the generator: gives unused ids back to the store, once, and lets go of connections.
     *
     * <p>Ends within the option {@code timeout}, and does not end early for an interrupt, whose flag it keeps.
     * Afterwards every call that mints throws {@link ClosedException}, also in threads that are waiting for an id; a
     * second close does nothing.
     */
    @Override
    public void close() {
        try {
            Waiting.untilDoneInAnyCase(beginClose());
            LiveGenerators.remove(this);
            open.end();
            tags.clear();
            relaxedTags.clear();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** From here on no id is handed out. */
    long beginClose() {
        try {
            closed = true;
            return Native.close(handle());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Shows the store, without credentials.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "SegmentGenerator[" + scope() + "]";
    }

    private BizTag resolve(String name, long geneBits, Order order) {
        try {
            String checked = Text.name("the biz_tag", name, InvalidArgumentException::new);
            return new BizTag(
                    checked, geneBits, order, this, Native.bizTag(handle(), checked, geneBits, order == Order.RELAXED));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }

    private void makeReady() {
        try {
            Waiting.untilDone(Native.makeReady(handle()), "the store");
        } catch (RuntimeException failure) {
            Native.pendingEnd(beginClose());
            open.end();
            throw failure;
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
