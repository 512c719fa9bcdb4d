package io.github.leafmint;

import static java.util.Objects.requireNonNull;

/**
 * Computes genes: the shard that a record belongs to, carried in the low bits of its id.
 *
 * <pre>{@code
 * int gene = Genes.geneOf("user-42", 4);
 * int shard = Genes.shardOf(orderId, 4); // of an id that was made with that gene: the same number
 * }</pre>
 */
public final class Genes {
    private Genes() {}

    /**
     * Returns the gene of a text: its {@code hashCode} mod 2<sup>bits</sup>, from 0 on also for negative hashes.
     *
     * @param key any text
     * @param bits 1 to 12
     * @return from 0 to 2<sup>bits</sup> - 1
     * @throws InvalidArgumentException for any other bits, and where the key holds half of a surrogate pair
     */
    public static int geneOf(String key, long bits) {
        requireNonNull(key, "key");
        NativeLibrary.require();
        return (int) Native.geneOfText(Text.checked("the key", key, InvalidArgumentException::new), bits);
    }

    /**
     * Returns the gene of a number: {@code key} mod 2<sup>bits</sup>, from 0 on also for negative keys.
     *
     * @param key any number
     * @param bits 1 to 12
     * @return from 0 to 2<sup>bits</sup> - 1
     * @throws InvalidArgumentException for any other bits
     */
    public static int geneOf(long key, long bits) {
        NativeLibrary.require();
        return (int) Native.geneOfInt(key, bits);
    }

    /**
     * Puts a gene below a number of segment mode, which gives an id.
     *
     * <p>All ids of one tag must be made so, with the same bits: a raw number and one with a gene may be the same id.
     *
     * @param number 0 or more
     * @param gene from 0 to 2<sup>bits</sup> - 1
     * @param bits 1 to 12
     * @return {@code number << bits | gene}
     * @throws InvalidArgumentException for an argument out of range
     * @throws IdSpaceExhaustedException where the id would not fit 63 bits
     */
    public static long withGene(long number, long gene, long bits) {
        NativeLibrary.require();
        return Native.withGene(number, gene, bits);
    }

    /**
     * Returns the gene that an id carries.
     *
     * @param id 0 or more
     * @param bits 1 to 12
     * @return from 0 to 2<sup>bits</sup> - 1
     * @throws InvalidArgumentException for any other bits
     * @throws InvalidIdException for a negative id
     */
    public static int shardOf(long id, long bits) {
        NativeLibrary.require();
        return (int) Native.shardOf(id, bits);
    }
}
