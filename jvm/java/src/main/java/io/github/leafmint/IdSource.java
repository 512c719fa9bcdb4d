package io.github.leafmint;

import io.github.leafmint.sharding.Genes;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Mints ids: a {@link Tag} or a {@link SnowflakeGenerator}. Code that takes one works with either.
 *
 * <p>Only leafmint implements it, and a later version may add methods. For a fake in a test, let the code take a
 * {@link LongSupplier}.
 *
 * <p>The methods that end with {@code Async} return a <b>future</b>, and cost no thread for a call that waits. If the
 * ids are in hand, the future is completed already. Otherwise it completes as the method without {@code Async} would
 * return. A future keeps its generator open until it completes.
 *
 * <p>A future completes <b>exceptionally</b> with the exception that the method without {@code Async} throws. So
 * {@code join()} and dependent stages see a {@link java.util.concurrent.CompletionException} with that cause. These
 * methods throw only {@link NullPointerException}. Closing the generator completes its futures with
 * {@link ClosedException}.
 *
 * <p><b>Dependent stages</b> of a future that had to wait run in the common pool, or if it is busy in a thread of
 * leafmint; those of one that was completed already run in the caller. A stage that blocks delays other futures by a
 * few milliseconds at most. If a stage needs a certain thread, use {@code thenApplyAsync} with an executor.
 *
 * <p><b>Cancelling</b> a future, or completing it in another way such as {@code orTimeout}, ends the call. It takes no
 * id, unless it had one already, which is lost.
 *
 * <pre>{@code
 * CompletableFuture<Order> saved = order.nextIdAsync(Duration.ofMillis(500))
 *         .thenApply(id -> new Order(id, "tea"))
 *         .thenCompose(repository::save);
 * }</pre>
 */
public interface IdSource extends LongSupplier {
    /**
     * Returns the next id. Waits up to the option {@code timeout}.
     *
     * @return an id, 0 or more
     */
    long nextId();

    /**
     * Returns the next id. Waits up to {@code timeout}.
     *
     * @param timeout 0 to one year
     * @return an id, 0 or more
     */
    long nextId(Duration timeout);

    /**
     * Returns the next id with a gene in its low bits. Waits up to the option {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag or layout
     * @return an id, 0 or more
     * @see Genes#geneOfKey(String, long)
     */
    long nextIdWithGene(long gene);

    /**
     * Returns the next id with a gene in its low bits. Waits up to {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag or layout
     * @param timeout 0 to one year
     * @return an id, 0 or more
     */
    long nextIdWithGene(long gene, Duration timeout);

    /**
     * Returns the next id if it can be had without waiting.
     *
     * @return an id, or empty
     */
    OptionalLong tryNextId();

    /**
     * Returns {@code count} ascending ids. Waits up to the option {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return the ids
     */
    long[] nextIds(long count);

    /**
     * Returns {@code count} ascending ids. Waits up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return the ids
     */
    long[] nextIds(long count, Duration timeout);

    /**
     * Returns a future of the next id, which waits up to the option {@code timeout}.
     *
     * @return a future of an id, 0 or more
     */
    CompletableFuture<Long> nextIdAsync();

    /**
     * Returns a future of the next id, which waits up to {@code timeout}.
     *
     * @param timeout 0 to one year
     * @return a future of an id, 0 or more
     */
    CompletableFuture<Long> nextIdAsync(Duration timeout);

    /**
     * Returns a future of the next id with a gene in its low bits, which waits up to the option {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag or layout
     * @return a future of an id, 0 or more
     * @see Genes#geneOfKey(String, long)
     */
    CompletableFuture<Long> nextIdWithGeneAsync(long gene);

    /**
     * Returns a future of the next id with a gene in its low bits, which waits up to {@code timeout}.
     *
     * @param gene 0 or more, within the gene bits of the tag or layout
     * @param timeout 0 to one year
     * @return a future of an id, 0 or more
     */
    CompletableFuture<Long> nextIdWithGeneAsync(long gene, Duration timeout);

    /**
     * Returns a future of {@code count} ascending ids, which waits up to the option {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @return a future of the ids
     */
    CompletableFuture<long[]> nextIdsAsync(long count);

    /**
     * Returns a future of {@code count} ascending ids, which waits up to {@code timeout}.
     *
     * @param count 0 to 2<sup>26</sup>
     * @param timeout 0 to one year
     * @return a future of the ids
     */
    CompletableFuture<long[]> nextIdsAsync(long count, Duration timeout);
}
