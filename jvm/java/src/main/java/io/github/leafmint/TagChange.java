package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.threads.BackgroundCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Changes a tag in the store. Get it from {@link SegmentGenerator#setTag}. Not for several threads.
 *
 * <pre>{@code
 * ids.setTag("order").step(5000).apply();
 * }</pre>
 */
public final class TagChange {
    private final SegmentGenerator generator;
    private final String name;
    private @Nullable Long step;
    private @Nullable String description;

    TagChange(SegmentGenerator generator, String name) {
        this.generator = generator;
        this.name = name;
    }

    /**
     * Sets how many ids a lease takes. Generators that use the tag read it within about a minute.
     *
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @return this change
     */
    public TagChange step(long step) {
        this.step = step;
        return this;
    }

    /**
     * Sets the description.
     *
     * @param description at most 256 code points
     * @return this change
     */
    public TagChange description(String description) {
        this.description = requireNonNull(description, "description");
        return this;
    }

    /**
     * Changes what was set.
     *
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if nothing was set, or the name or a value is out of range
     * @throws InvalidConfigException if the account may not change the columns, or the table does not have them
     * @throws ClosedException after {@link SegmentGenerator#close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void apply() {
        change().await();
    }

    /**
     * Changes what was set. Blocks no thread.
     *
     * @return a future that completes as {@link #apply()} returns
     */
    public CompletableFuture<Void> applyAsync() {
        return change().future().thenRun(() -> {});
    }

    private BackgroundCall<Boolean> change() {
        return BackgroundCall.ofChange(generator, "setTag", () -> {
            Text.name("the tag", name);
            if (description != null) {
                Text.name("the description", description);
            }
            long given = step == null ? 0 : step;
            return Native.segmentSetTag(generator.handle(), name, step != null, given, description);
        });
    }
}
