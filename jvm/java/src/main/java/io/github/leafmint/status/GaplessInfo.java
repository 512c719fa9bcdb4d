package io.github.leafmint.status;

import io.github.leafmint.SeriesPeriod;
import org.jspecify.annotations.Nullable;

/**
 * A period of a sequence without gaps, as its row has it.
 *
 * <pre>{@code
 * for (GaplessInfo sequence : ids.listGapless()) {
 *     System.out.println(sequence.name() + " of " + sequence.group() + " ends at " + sequence.number());
 * }
 * }</pre>
 */
public interface GaplessInfo {
    /** {@return the name, without the key; the whole name of a row that no sequence has} */
    String name();

    /** {@return the key; {@code null} if there is none} */
    @Nullable
    String key();

    /** {@return the period after which its numbers start again} */
    SeriesPeriod period();

    /**
     * {@return the period as text, such as {@code 2026-11-25}, {@code 2026-11} or {@code 2026}; empty if the numbers
     * never start again}
     */
    String group();

    /** {@return the last number that was taken; {@code null} if none was, or the row holds no number} */
    @Nullable
    Long number();

    /** {@return why no number can be taken of the row, and what to do; {@code null} if one can} */
    @Nullable
    String problem();
}
