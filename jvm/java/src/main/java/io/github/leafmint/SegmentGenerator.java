package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
public final class SegmentGenerator extends SegmentAdministration {
    private final WeakCache<BizTag> strictTags = new WeakCache<>();
    private final WeakCache<BizTag> relaxedTags = new WeakCache<>();
    private final CopyOnWriteArrayList<Consumer<? super String>> tagListeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private SegmentGenerator(long handle, @Nullable CredentialsThread credentials) {
        super(handle, credentials);
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

    static SegmentGenerator open(
            String url, String[] namesAndValues, String @Nullable [] tags, @Nullable CredentialsSupplier supplier) {
        CredentialsThread credentials = CredentialsThread.start(supplier);
        long handle = CredentialsThread.opened(credentials, new SegmentNatives(), url, namesAndValues, tags);
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

    @Override
    public void close() {
        closed = true;
        super.close();
        strictTags.clear();
        relaxedTags.clear();
    }

    private BizTag resolve(String name, long geneBits, Order order) {
        try {
            String checked = name("the biz_tag", name);
            long tag = Native.segmentBizTag(handle(), checked, geneBits, order == Order.RELAXED);
            var resolved = new BizTag(checked, geneBits, order, this, tag);
            for (Consumer<? super String> listener : tagListeners) {
                listener.accept(checked);
            }
            return resolved;
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
