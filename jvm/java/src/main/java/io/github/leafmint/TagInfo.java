package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tag as the store has it.
 *
 * <pre>{@code
 * for (TagInfo tag : ids.listTags()) {
 *     System.out.println(tag.bizTag() + " continues at " + tag.maxId());
 * }
 * }</pre>
 *
 * @param bizTag the name
 * @param maxId the next number to lease; {@code null} if the row holds no whole number
 * @param step the {@code step} column; {@code null} if the row holds no whole number
 * @param description the description; {@code null} if there is none, or no such column
 * @param updateTime when the row was changed last; {@code null} if there is no such column
 * @param geneBits the number of gene bits, 0 for none; {@code null} if the account may not read them
 * @param problem why no id of this tag can be leased, and what to do; {@code null} if ids can be leased
 */
public record TagInfo(
        String bizTag,
        @IdAsString @Nullable Long maxId,
        @Nullable Long step,
        @Nullable String description,
        @Nullable Instant updateTime,
        @Nullable Long geneBits,
        @Nullable String problem) {
    private static final int TEXTS = 7;

    static List<TagInfo> readAll(@Nullable String[] texts) {
        return RecordReader.readAll(texts, TEXTS, TagInfo::read);
    }

    private static TagInfo read(@Nullable String[] texts, int at) {
        return new TagInfo(
                texts[at],
                RecordReader.number(texts[at + 1]),
                RecordReader.number(texts[at + 2]),
                texts[at + 3],
                RecordReader.time(texts[at + 4]),
                RecordReader.number(texts[at + 5]),
                texts[at + 6]);
    }
}
