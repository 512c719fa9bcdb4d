package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.threads.BackgroundCall;
import java.util.concurrent.CompletableFuture;

/**
 * Creates a tag in the store. Get it from {@link SegmentGenerator#createTag}. Not for several threads.
 *
 * <pre>{@code
 * boolean isNew = ids.createTag("order").step(2000).start(70_001).description("orders of the shop").create();
 * }</pre>
 */
public final class TagBuilder {
    private final SegmentGenerator generator;
    private final String name;
    private long step = 1000;
    private long start = 1;
    private String description = "";
    private long geneBits;

    TagBuilder(SegmentGenerator generator, String name) {
        this.generator = generator;
        this.name = name;
    }

    /**
     * Sets how many ids a lease takes. Default: 1000.
     *
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @return this builder
     */
    public TagBuilder step(long step) {
        this.step = step;
        return this;
    }

    /**
     * Sets the first id, or with gene bits the first number, before the gene is appended. Default: 1.
     *
     * @param start 0 or more
     * @return this builder
     */
    public TagBuilder start(long start) {
        this.start = start;
        return this;
    }

    /**
     * Sets the description. Default: none.
     *
     * @param description at most 256 code points
     * @return this builder
     */
    public TagBuilder description(String description) {
        this.description = requireNonNull(description, "description");
        return this;
    }

    /**
     * Sets the number of low bits of each id that carry a gene: see {@link TagOptions#geneBits}. Default: 0.
     *
     * @param geneBits 1 to 12, or 0 for none
     * @return this builder
     */
    public TagBuilder geneBits(long geneBits) {
        this.geneBits = geneBits;
        return this;
    }

    /**
     * Creates the tag, unless it exists.
     *
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if the name or a value is out of range
     * @throws InvalidConfigException if the tag exists with other gene bits
     * @throws ClosedException after {@link SegmentGenerator#close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean create() {
        return creation().await();
    }

    /**
     * Creates the tag, unless it exists. Blocks no thread.
     *
     * @return a future of what {@link #create()} returns
     */
    public CompletableFuture<Boolean> createAsync() {
        return creation().future();
    }

    private BackgroundCall<Boolean> creation() {
        return BackgroundCall.ofChange(generator, "createTag", () -> {
            Text.name("the tag", name);
            Text.name("the description", description);
            return Native.segmentCreateTag(generator.handle(), name, step, start, description, geneBits);
        });
    }
}
