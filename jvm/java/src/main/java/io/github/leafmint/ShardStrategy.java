package io.github.leafmint;

/**
 * Says how the table of a key is found, by ShardingSphere's names.
 *
 * <pre>{@code
 * ShardRule users = ShardRule.of("20", 64, ShardStrategy.CRC32);
 * }</pre>
 */
public enum ShardStrategy {
    /**
     * {@code hash_mod}: the absolute value of {@code String.hashCode} or {@code Long.hashCode}, mod tables. The
     * default.
     *
     * <p>The absolute value is taken in 64 bits, so that {@code Integer.MIN_VALUE} finds a table too. An {@code int}
     * key counts as the {@code long}: a negative {@code Integer} hashes otherwise.
     */
    HASH_MOD("hash_mod"),

    /** {@code mod}: an integer mod tables, from 0 on for negative keys too. Texts are refused. */
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
