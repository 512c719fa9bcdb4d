package io.github.leafmint.sharding;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.Tag;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.results.Results;
import java.lang.ref.Reference;
import java.util.function.LongSupplier;

/**
 * Composes numbers with a shard suffix: {@code business code + id + table}, all in decimal digits.
 *
 * <p>Business code and table have fixed widths, the id in the middle does not. So the table of a number is known
 * without a query. A rule needs no connection and can be used from any thread.
 *
 * <pre>{@code
 * ShardRule orders = ShardRule.of("10", 1024);
 * String number = orders.mint(ids.tag("order"), "user-42");
 * int table = orders.parse(number).table(); // equals orders.tableOf("user-42")
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
        this.handle = new Handle(handle, Native::shardRuleFree);
        this.businessCode = businessCode;
        this.tables = tables;
        this.tableWidth = tableWidth;
        this.strategy = strategy;
    }

    /**
     * Returns a rule with 4 digits for the table and the strategy {@code hash_mod}.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10,000
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException if {@code businessCode} has an unpaired surrogate
     */
    public static ShardRule of(String businessCode, long tables) {
        return of(businessCode, tables, ShardStrategy.HASH_MOD);
    }

    /**
     * Returns a rule with 4 digits for the table.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10,000
     * @param strategy how the table of a key is found
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException if {@code businessCode} has an unpaired surrogate
     */
    public static ShardRule of(String businessCode, long tables, ShardStrategy strategy) {
        return of(businessCode, tables, TABLE_WIDTH, strategy);
    }

    /**
     * Returns a rule.
     *
     * @param businessCode 1 to 9 digits; leading zeros are kept
     * @param tables the number of tables, 1 to 10<sup>tableWidth</sup>
     * @param tableWidth the number of digits of a table, 1 to 9
     * @param strategy how the table of a key is found
     * @return the rule
     * @throws InvalidConfigException with every problem found
     * @throws InvalidArgumentException if {@code businessCode} has an unpaired surrogate
     */
    public static ShardRule of(String businessCode, long tables, long tableWidth, ShardStrategy strategy) {
        requireNonNull(businessCode, "businessCode");
        requireNonNull(strategy, "strategy");
        NativeLibrary.require();
        Text.name("the business code", businessCode);
        long handle = Native.shardRuleOf(businessCode, tables, tableWidth, strategy.text());
        // The core has accepted the numbers, so they fit into an int.
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
     * Returns the number of digits of a table.
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
     * @return 0 to {@code tables} - 1
     * @throws InvalidArgumentException if the strategy is {@code mod}, or if {@code key} has an unpaired surrogate
     */
    public int tableOf(String key) {
        Text.checked("the key", requireNonNull(key, "key"));
        try {
            return (int) Native.shardRuleTableOfText(handle(), key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the table of an integer key.
     *
     * @param key any number
     * @return 0 to {@code tables} - 1
     */
    public int tableOf(long key) {
        try {
            return (int) Native.shardRuleTableOfInt(handle(), key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Composes a number of an id and a table.
     *
     * @param sequence an id of either mode, 0 or more
     * @param table 0 to {@code tables} - 1
     * @return the number
     * @throws InvalidArgumentException if an argument is out of range
     */
    public ShardedId compose(long sequence, long table) {
        return new Results.ShardedId(businessCode, sequence, (int) table, text(sequence, table));
    }

    /**
     * Parses a number strictly: it accepts only what {@link #compose} returns.
     *
     * @param text a number of this rule
     * @return its parts
     * @throws InvalidIdException if {@code text} is not a number of this rule
     * @throws InvalidArgumentException if {@code text} has an unpaired surrogate
     */
    public ShardedId parse(String text) {
        Text.name("the number", requireNonNull(text, "text"));
        try {
            long[] parts = Native.shardRuleParse(handle(), text);
            return new Results.ShardedId(businessCode, parts[0], (int) parts[1], text);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Mints a number for a text key. A key that is refused uses up no id.
     *
     * @param generator the source of the id, for example a {@link Tag}
     * @param key the key that determines the table
     * @return the number
     * @throws InvalidArgumentException as for {@link #tableOf(String)}
     * @throws LeafmintException if the generator throws it
     */
    public String mint(LongSupplier generator, String key) {
        requireNonNull(generator, "generator");
        int table = tableOf(key);
        return text(generator.getAsLong(), table);
    }

    /**
     * Mints a number for an integer key.
     *
     * @param generator the source of the id, for example a {@link Tag}
     * @param key the key that determines the table
     * @return the number
     * @throws LeafmintException if the generator throws it
     */
    public String mint(LongSupplier generator, long key) {
        requireNonNull(generator, "generator");
        int table = tableOf(key);
        return text(generator.getAsLong(), table);
    }

    /**
     * Returns true if the other object is a rule that composes the same numbers for the same keys.
     *
     * @param other any object
     * @return whether both are equal
     */
    @Override
    public boolean equals(Object other) {
        handle();
        return other instanceof ShardRule rule && toString().equals(rule.toString());
    }

    /**
     * Returns a hash code of all parameters of the rule.
     *
     * @return the hash code
     */
    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /**
     * Returns a text with all parameters of the rule.
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
            return Native.shardRuleCompose(handle(), sequence, table);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long handle() {
        return Handle.valueOf(handle, this);
    }
}
