package io.github.leafmint;

import static java.util.Objects.requireNonNull;

/**
 * What a tag is resolved with: see {@link SegmentGenerator#tag(String, TagOptions)}. Not for several threads.
 *
 * <pre>{@code
 * Tag order = ids.tag("order", new TagOptions().geneBits(4));
 * }</pre>
 */
public final class TagOptions {
    private long geneBits;
    private IdOrder order = IdOrder.STRICT;

    /** Creates options without gene bits and with strict order. */
    public TagOptions() {}

    /**
     * Sets the number of low bits of each id that carry a gene. Default: 0.
     *
     * <p>The gene bits belong to the tag. They are stored when the tag is created, which the option {@code auto_create}
     * or {@link TagBuilder#geneBits} does. Minting with other gene bits, or with none, throws
     * {@link InvalidConfigException}; so a tag that is in use without gene bits cannot get any.
     *
     * <pre>{@code
     * Tag order = ids.tag("order", new TagOptions().geneBits(4));
     * long id = order.nextIdWithGene(Genes.geneOfKey("user-45", 4));
     * long shard = Genes.geneOfId(id, 4);
     * }</pre>
     *
     * @param geneBits 1 to 12, or 0 for none
     * @return these options
     */
    public TagOptions geneBits(long geneBits) {
        this.geneBits = geneBits;
        return this;
    }

    /**
     * Sets the order of the ids. Default: {@link IdOrder#STRICT}.
     *
     * <p>The order belongs to the object that the generator returns, not to the tag: a relaxed and a strict object of
     * one tag never mint the same id.
     *
     * @param order {@link IdOrder#RELAXED} if many threads share the tag and need no order across threads
     * @return these options
     */
    public TagOptions order(IdOrder order) {
        this.order = requireNonNull(order, "order");
        return this;
    }

    long geneBits() {
        return geneBits;
    }

    IdOrder order() {
        return order;
    }
}
