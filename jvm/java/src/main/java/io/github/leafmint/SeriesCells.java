package io.github.leafmint;

import io.github.leafmint.internal.Text;

/** Draws the numbers of one period from its tag. The series of one name and key share it within a generator. */
final class SeriesCells extends TagCells {
    private final String tag;

    /** Keeps the generator reachable, and so open. */
    private final SegmentGenerator generator;

    SeriesCells(String tag, SegmentGenerator generator, long handle) {
        super(handle, false);
        this.tag = tag;
        this.generator = generator;
    }

    @Override
    LeafmintException interrupted() {
        return interrupted(tag, generator);
    }

    static LeafmintException interrupted(String tag, SegmentGenerator generator) {
        return new SegmentUnavailableException("interrupted while waiting for numbers of series \""
                + Text.printable(tag) + "\" from " + generator.scope());
    }
}
