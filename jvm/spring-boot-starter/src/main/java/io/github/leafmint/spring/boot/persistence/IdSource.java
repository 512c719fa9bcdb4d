package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.AsyncIds;
import java.util.function.LongSupplier;

/**
 * A tag or a snowflake generator, as a source of ids.
 *
 * <pre>{@code
 * var ids = new IdSource(order, order);
 * long id = ids.now().getAsLong();
 * }</pre>
 *
 * @param now mints, and waits if no id is in hand
 * @param later mints without waiting
 */
public record IdSource(LongSupplier now, AsyncIds later) {}
