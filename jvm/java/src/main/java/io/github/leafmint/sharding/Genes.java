package io.github.leafmint.sharding;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;

/**
 * Computes genes. A gene is the shard of a record, stored in the low bits of the record's id.
 *
 * <pre>{@code
 * int gene = Genes.geneOfKey("user-42", 4);
 * long id = ids.tag("order", new TagOptions().geneBits(4)).nextIdWithGene(gene);
 * int shard = Genes.geneOfId(id, 4); // equals gene
 * }</pre>
 */
public final class Genes {
    private Genes() {}

    /**
     * Returns the gene of a text key: {@link String#hashCode()} mod 2<sup>bits</sup>.
     *
     * @param key any text
     * @param bits 1 to 12
     * @return 0 to 2<sup>bits</sup> - 1, also for a negative hash code
     * @throws InvalidArgumentException if {@code bits} is out of range, or if {@code key} has an unpaired surrogate
     */
    public static int geneOfKey(String key, long bits) {
        requireNonNull(key, "key");
        NativeLibrary.require();
        return (int) Native.geneOfText(Text.checked("the key", key), bits);
    }

    /**
     * Returns the gene of an integer key: {@code key} mod 2<sup>bits</sup>.
     *
     * @param key any number
     * @param bits 1 to 12
     * @return 0 to 2<sup>bits</sup> - 1, also for a negative key
     * @throws InvalidArgumentException if {@code bits} is out of range
     */
    public static int geneOfKey(long key, long bits) {
        NativeLibrary.require();
        return (int) Native.geneOfInt(key, bits);
    }

    /**
     * Appends a gene to a number of segment mode, which makes an id.
     *
     * <p>Make all ids of a tag this way, with the same number of bits: a plain number can equal an id with a gene.
     *
     * @param number 0 or more
     * @param gene 0 to 2<sup>bits</sup> - 1
     * @param bits 1 to 12
     * @return {@code number << bits | gene}
     * @throws InvalidArgumentException if an argument is out of range
     * @throws IdSpaceExhaustedException if the id does not fit into 63 bits
     */
    public static long withGene(long number, long gene, long bits) {
        NativeLibrary.require();
        return Native.geneCompose(number, gene, bits);
    }

    /**
     * Returns the gene of an id.
     *
     * @param id 0 or more
     * @param bits 1 to 12
     * @return 0 to 2<sup>bits</sup> - 1
     * @throws InvalidArgumentException if {@code bits} is out of range
     * @throws InvalidIdException if {@code id} is negative
     */
    public static int geneOfId(long id, long bits) {
        NativeLibrary.require();
        return (int) Native.geneOfId(id, bits);
    }
}
