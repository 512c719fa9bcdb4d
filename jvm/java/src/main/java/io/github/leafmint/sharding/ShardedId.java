package io.github.leafmint.sharding;

/**
 * A number with a shard suffix, as a {@link ShardRule} composes and parses it.
 *
 * <p>Only leafmint implements it: a later version may add methods.
 *
 * <pre>{@code
 * ShardedId number = ShardRule.of("10", 1024).parse("1017696496718608220161023");
 * String table = "orders_" + number.table();
 * }</pre>
 */
public interface ShardedId {
    /** {@return the business code, with its leading zeros} */
    String businessCode();

    /** {@return the id in the middle of the number} */
    long sequence();

    /** {@return the table} */
    int table();

    /** {@return the number itself} */
    String text();

    /**
     * Returns the number itself.
     *
     * @return {@link #text()}
     */
    @Override
    String toString();
}
