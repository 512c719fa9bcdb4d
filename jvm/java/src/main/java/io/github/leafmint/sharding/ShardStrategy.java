package io.github.leafmint.sharding;

/**
 * How a {@link ShardRule} finds the table of a key. The names are those of ShardingSphere.
 *
 * <pre>{@code
 * ShardRule users = ShardRule.of("20", 64, ShardStrategy.CRC32);
 * }</pre>
 */
public enum ShardStrategy {
    /**
     * {@code hash_mod}, the default: the absolute value of {@code String.hashCode} or {@code Long.hashCode}, mod
     * tables.
     *
     * <p>The absolute value is computed in 64 bits, so {@code Integer.MIN_VALUE} has a table too. An {@code int} key
     * counts as a {@code long}, whose hash code differs from that of an {@code Integer} if it is negative.
     */
    HASH_MOD("hash_mod"),

    /** {@code mod}: an integer mod tables, never negative. Text keys are refused. */
    MOD("mod"),

    /** {@code crc32}: CRC-32 of the UTF-8 bytes, mod tables. An integer counts as its decimal text. */
    CRC32("crc32");

    private final String text;

    ShardStrategy(String text) {
        this.text = text;
    }

    /**
     * Returns the name that all languages share.
     *
     * @return {@code hash_mod}, {@code mod} or {@code crc32}
     */
    public String text() {
        return text;
    }
}
