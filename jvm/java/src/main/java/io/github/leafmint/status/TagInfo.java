package io.github.leafmint.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tag as the store has it.
 *
 * <pre>{@code
 * for (TagInfo tag : ids.listTags()) {
 *     System.out.println(tag.tag() + " continues at " + tag.maxId());
 * }
 * }</pre>
 */
public interface TagInfo {
    /** {@return the name} */
    String name();

    /** {@return the next number to lease; {@code null} if the row holds no whole number} */
    @Nullable
    Long maxId();

    /** {@return the {@code step} column; {@code null} if the row holds no whole number} */
    @Nullable
    Long step();

    /** {@return the description; {@code null} if there is none, or no such column} */
    @Nullable
    String description();

    /** {@return when the row was changed last; {@code null} if there is no such column} */
    @Nullable
    Instant updateTime();

    /** {@return the number of gene bits, 0 for none; {@code null} if the account may not read them} */
    @Nullable
    Long geneBits();

    /** {@return why no id of this tag can be leased, and what to do; {@code null} if ids can be leased} */
    @Nullable
    String problem();
}
