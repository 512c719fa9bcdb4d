package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates, lists and changes the tags of a store, and its tables. Base class of {@link SegmentGenerator}. */
abstract sealed class SegmentAdministration extends Generator permits SegmentGenerator {
    SegmentAdministration(long handle, @Nullable CredentialsThread credentials) {
        super(handle, new SegmentNatives(), credentials);
    }

    /**
     * Creates a tag with the first id 1 and no description, unless it exists.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step) {
        return createTag(tag, step, 1, "");
    }

    /**
     * Creates a tag, unless it exists.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first id, 0 or more
     * @param description at most 256 code points
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description) {
        return createTag(tag, step, start, description, 0);
    }

    /**
     * Creates a tag whose ids carry a gene, unless it exists: see {@link SegmentGenerator#bizTag(String, long)}.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param start the first number, before the gene is appended, 0 or more
     * @param description at most 256 code points
     * @param geneBits 1 to 12, or 0 for none
     * @return true if it was created, false if it existed
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the tag exists with other gene bits
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public boolean createTag(String tag, long step, long start, String description, long geneBits) {
        name("the biz_tag", requireNonNull(tag, "tag"));
        name("the description", requireNonNull(description, "description"));
        try {
            long pending = Native.segmentCreateTag(handle(), tag, step, start, description, geneBits);
            return Waiting.untilDone(pending, "createTag");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Lists the tags of the store, sorted by name, without leasing anything.
     *
     * @return every tag; one whose row cannot be leased from has a {@linkplain TagInfo#problem() problem}
     * @throws ClosedException after {@link #close()}
     * @throws InvalidConfigException if the table is missing or the account may not read it
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public List<TagInfo> listTags() {
        try {
            return TagInfo.readAll(Waiting.untilTexts(Native.segmentListTags(handle()), "listTags"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Changes the step of a tag. Generators that use the tag read it within about a minute.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the column
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, long step) {
        setTag(tag, true, step, null);
    }

    /**
     * Changes the description of a tag.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param description at most 256 code points
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the column, or the table does not have it
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, String description) {
        setTag(tag, false, 0, requireNonNull(description, "description"));
    }

    /**
     * Changes the step and the description of a tag: see {@link #setTag(String, long)}.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param step ids per lease, 1 to 2<sup>30</sup>
     * @param description at most 256 code points
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the account may not change the columns, or the table does not have them
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public void setTag(String tag, long step, String description) {
        setTag(tag, true, step, requireNonNull(description, "description"));
    }

    private void setTag(String tag, boolean hasStep, long step, @Nullable String description) {
        name("the biz_tag", requireNonNull(tag, "tag"));
        if (description != null) {
            name("the description", description);
        }
        try {
            Waiting.untilDone(Native.segmentSetTag(handle(), tag, hasStep, step, description), "setTag");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Raises the {@code max_id} of a tag to at least a value, for restores and migrations. It is never lowered.
     *
     * @param tag 1 to 128 code points, no NUL, no space at either end
     * @param maxId above every id in use, 0 to 2<sup>61</sup> - 2<sup>30</sup>; with gene bits above every {@code id >>
     *     geneBits}
     * @return the value that is stored now: ids that are leased afterwards start there, or higher
     * @throws UnknownTagException if the store has no row for the tag
     * @throws InvalidArgumentException if an argument is out of range
     * @throws InvalidConfigException if the row or the table cannot be used
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     */
    public long raiseTag(String tag, long maxId) {
        name("the biz_tag", requireNonNull(tag, "tag"));
        try {
            String[] stored = Waiting.untilTexts(Native.segmentRaiseTag(handle(), tag, maxId), "raiseTag");
            return Long.parseLong(stored[0]);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Checks the store: connects, and checks the table, its columns and the account, without leasing anything.
     *
     * @return what was found
     * @throws InvalidConfigException if the account, the table or its columns do not fit
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached, or does not answer within the option
     *     {@code timeout}
     */
    public SegmentCheck check() {
        try {
            return SegmentCheck.read(Waiting.untilTexts(Native.segmentCheck(handle()), "check"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Creates the tables that do not exist yet.
     *
     * @throws ClosedException after {@link #close()}
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws InvalidConfigException if the account may not create tables; the message holds the SQL
     */
    public void initSchema() {
        try {
            Waiting.untilDone(Native.segmentInitSchema(handle()), "initSchema");
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Checks an argument that is a name or a description, and returns it. */
    static String name(String what, String text) {
        return Text.name(what, text);
    }
}
