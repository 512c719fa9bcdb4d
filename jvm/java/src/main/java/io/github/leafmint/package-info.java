/**
 * Mints unique ids inside the JVM, without an id service to run.
 *
 * <ul>
 *   <li>{@link io.github.leafmint.SegmentGenerator} mints consecutive ids per {@linkplain io.github.leafmint.Tag tag}
 *       from segments that it leases from a database or a file.
 *   <li>{@link io.github.leafmint.SnowflakeGenerator} mints ids that hold a timestamp, a worker id and a sequence
 *       number; {@link io.github.leafmint.Layout} decodes them and computes bounds for range queries.
 *   <li>{@link io.github.leafmint.Series} mints numbers that start again each day, month or year.
 *   <li>{@link io.github.leafmint.sharding.ShardRule} and {@link io.github.leafmint.sharding.Genes} add the shard of a
 *       record to its id.
 *   <li>{@link io.github.leafmint.IdFormat} writes and parses the numbers that people read.
 *   <li>{@link io.github.leafmint.GaplessSequence} takes numbers without gaps in a transaction of the application.
 * </ul>
 *
 * <p>Every failure is a {@link io.github.leafmint.LeafmintException}. All classes can be used from any thread. No
 * parameter may be {@code null}: a method throws {@link NullPointerException} with the name of the parameter. What may
 * be {@code null} in a result says so with JSpecify's {@link org.jspecify.annotations.Nullable}.
 *
 * <pre>{@code
 * try (var ids = SegmentGenerator.open("sqlite:///ids.db")) {
 *     Tag order = ids.tag("order");
 *     long id = order.nextId();
 * }
 * }</pre>
 */
@NullMarked
package io.github.leafmint;

import org.jspecify.annotations.NullMarked;
