package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.util.function.LongSupplier;

/**
 * Makes numbers with a shard suffix: {@code business code + sequence + table}, all in decimal digits.
 *
 * <p>Business code and table have fixed widths; the sequence between them has none. A number tells its table without a
 * look at any database. A rule needs no connection, and can be used from any thread.
 *
 * <pre>{@code
 * ShardRule orders = ShardRule.of("10", 1024);
 * String number = orders.mint(ids.bizTag("order"), "user-42");
 * int table = orders.parse(number).table(); // the same as orders.tableOf("user-42")
 * }</pre>
 */
public final class ShardRule {
    private static final int TABLE_WIDTH = 4;

    private final Handle handle;
    private final String businessCode;
    private final int tables;
    private final int tableWidth;
    private final ShardStrategy strategy;

    private ShardRule(long handle, String businessCode, int tables, int tableWidth, ShardStrategy strategy) {
        this.handle = new Handle(handle, Native::shardFree);
        this.businessCode = businessCode;
        this.tables = tables;
        this.tableWidth = tableWidth;
        this.strategy = strategy;
    }

    /**
     * Makes a rule with tables of 4 digits and the strategy {@code hash_mod}.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10,000
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException where the code holds half of a surrogate pair
     */
    public static ShardRule of(String businessCode, long tables) {
        return of(businessCode, tables, ShardStrategy.HASH_MOD);
    }

    /**
     * Makes a rule with tables of 4 digits.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10,000
     * @param strategy how the table of a key is found
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException where the code holds half of a surrogate pair
     */
    public static ShardRule of(String businessCode, long tables, ShardStrategy strategy) {
        return of(businessCode, tables, TABLE_WIDTH, strategy);
    }

    /**
     * Makes a rule.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10<sup>tableWidth</sup>
     * @param tableWidth the digits of a table, 1 to 9
     * @param strategy how the table of a key is found
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException where the code holds half of a surrogate pair
     */
    public static ShardRule of(String businessCode, long tables, long tableWidth, ShardStrategy strategy) {
        requireNonNull(businessCode, "businessCode");
        requireNonNull(strategy, "strategy");
        NativeLibrary.require();
        Text.name("the business code", businessCode, InvalidArgumentException::new);
        long handle = Native.shardRule(businessCode, tables, tableWidth, strategy.text());
        // What the core has accepted fits.
        return new ShardRule(handle, businessCode, (int) tables, (int) tableWidth, strategy);
    }

    /**
     * Returns the business code.
     *
     * @return its digits, with leading zeros
     */
    public String businessCode() {
        handle();
        return businessCode;
    }

    /**
     * Returns the number of tables.
     *
     * @return 1 or more
     */
    public int tables() {
        handle();
        return tables;
    }

    /**
     * Returns the digits of a table.
     *
     * @return 1 to 9
     */
    public int tableWidth() {
        handle();
        return tableWidth;
    }

    /**
     * Returns how the table of a key is found.
     *
     * @return the strategy
     */
    public ShardStrategy strategy() {
        handle();
        return strategy;
    }

    /**
     * Returns the table of a text key.
     *
     * @param key any text
     * @return from 0 to {@code tables} - 1
     * @throws InvalidArgumentException under the strategy {@code mod}, and where the key holds half of a surrogate pair
     */
    public int tableOf(String key) {
        Text.checked("the key", requireNonNull(key, "key"), InvalidArgumentException::new);
        try {
            return (int) Native.shardTableOfText(handle(), key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the table of an integer key.
     *
     * @param key any number
     * @return from 0 to {@code tables} - 1
     */
    public int tableOf(long key) {
        try {
            return (int) Native.shardTableOfInt(handle(), key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts a number together.
     *
     * @param sequence an id of either mode, 0 or more
     * @param table from 0 to {@code tables} - 1
     * @return the number
     * @throws InvalidArgumentException for any other sequence or table
     */
    public ShardedId compose(long sequence, long table) {
        return new ShardedId(businessCode, sequence, (int) table, text(sequence, table));
    }

    /**
     * Takes a number apart, strictly: what it accepts, {@link #compose} writes the same way.
     *
     * @param text a number of this rule
     * @return its parts
     * @throws InvalidIdException for any other text
     * @throws InvalidArgumentException where it holds half of a surrogate pair
     */
    public ShardedId parse(String text) {
        Text.name("the number", requireNonNull(text, "text"), InvalidArgumentException::new);
        try {
            long[] parts = Native.shardParse(handle(), text);
            return new ShardedId(businessCode, parts[0], (int) parts[1], text);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Mints a number for a text key. A key that is refused costs no id.
     *
     * @param generator where its id comes from, for example a {@link BizTag}
     * @param key what decides on the table
     * @return the number
     * @throws InvalidArgumentException as for {@link #tableOf(String)}
     * @throws LeafmintException what the generator throws
     */
    public String mint(LongSupplier generator, String key) {
        requireNonNull(generator, "generator");
        int table = tableOf(key);
        return text(generator.getAsLong(), table);
    }

    /**
     * Mints a number for an integer key.
     *
     * @param generator where its id comes from, for example a {@link BizTag}
     * @param key what decides on the table
     * @return the number
     * @throws LeafmintException what the generator throws
     */
    public String mint(LongSupplier generator, long key) {
        requireNonNull(generator, "generator");
        int table = tableOf(key);
        return text(generator.getAsLong(), table);
    }

    /**
     * Tells whether the other rule makes the same numbers of the same keys.
     *
     * @param other anything
     * @return whether it does
     */
    @Override
    public boolean equals(Object other) {
        handle();
        return other instanceof ShardRule rule && toString().equals(rule.toString());
    }

    /**
     * Returns a hash code of all that makes up the rule.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /**
     * Shows all that makes up the rule.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        handle();
        return "ShardRule[businessCode=" + businessCode + ", tables=" + tables + ", tableWidth=" + tableWidth
                + ", strategy=" + strategy.text() + "]";
    }

    private String text(long sequence, long table) {
        try {
            return Native.shardCompose(handle(), sequence, table);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
