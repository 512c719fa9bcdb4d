package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;

/**
 * A number with a shard suffix, as a {@link ShardRule} composes and parses it.
 *
 * <pre>{@code
 * ShardedId number = ShardRule.of("10", 1024).parse("1017696496718608220161023");
 * String table = "orders_" + number.table();
 * }</pre>
 *
 * @param businessCode the business code, with its leading zeros
 * @param sequence the id in the middle of the number
 * @param table the table
 * @param text the number itself
 */
public record ShardedId(String businessCode, @IdAsString long sequence, int table, String text) {
    /**
     * Returns the number itself.
     *
     * @return {@link #text()}
     */
    @Override
    public String toString() {
        return text;
    }
}
