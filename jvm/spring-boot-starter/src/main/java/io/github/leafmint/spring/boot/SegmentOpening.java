package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentGeneratorBuilder;
import java.util.ArrayList;
import java.util.Map;

/** Opens the segment generator, with the tables and tags that the properties ask for. */
final class SegmentOpening {
    /** The step and the first id of a tag, if no property has them. */
    private static final long STEP = 1000;

    private static final long START = 1;

    private final LeafmintProperties.Segment segment;
    private final Source source;
    private final CredentialsSupplier credentials;
    private final Iterable<SegmentGeneratorBuilderCustomizer> customizers;

    SegmentOpening(
            LeafmintProperties.Segment segment,
            Source source,
            CredentialsSupplier credentials,
            Iterable<SegmentGeneratorBuilderCustomizer> customizers) {
        this.segment = segment;
        this.source = source;
        this.credentials = credentials;
        this.customizers = customizers;
    }

    SegmentGenerator open() {
        if (!prepares()) {
            return builder().open();
        }
        if (Boolean.TRUE.equals(segment.eager())) {
            // An eager generator needs the tables when it is opened.
            try (SegmentGenerator first = builder().eager(false).open()) {
                prepare(first);
            }
            return builder().open();
        }
        SegmentGenerator ids = builder().open();
        try {
            prepare(ids);
        } catch (RuntimeException failure) {
            ids.close();
            throw failure;
        }
        return ids;
    }

    private SegmentGeneratorBuilder builder() {
        SegmentGeneratorBuilder builder = builderOf(segment, source, credentials);
        for (SegmentGeneratorBuilderCustomizer customizer : customizers) {
            customizer.customize(builder);
        }
        // Only Spring closes it, after the web server has drained.
        return builder.closeAtExit(false);
    }

    private boolean prepares() {
        return segment.initSchema() || LeafmintProperties.creates(segment.tags());
    }

    private void prepare(SegmentGenerator ids) {
        if (segment.initSchema()) {
            ids.initSchema();
        }
        for (Map.Entry<String, LeafmintProperties.Tag> entry : segment.tags().entrySet()) {
            LeafmintProperties.Tag tag = entry.getValue();
            if (tag.create()) {
                long step = firstOf(tag.step(), segment.defaultStep(), STEP);
                long start = firstOf(tag.start(), segment.defaultStart(), START);
                String name = entry.getKey();
                RefusedPropertiesException.naming(LeafmintProperties.TAGS + name, () -> ids.createTag(name)
                        .step(step)
                        .start(start)
                        .description(tag.description())
                        .geneBits(tag.geneBits())
                        .create());
            }
        }
    }

    private static long firstOf(Long own, Long common, long otherwise) {
        if (own != null) {
            return own;
        }
        return common != null ? common : otherwise;
    }

    /** Returns a builder with the options that are set. */
    static SegmentGeneratorBuilder builderOf(
            LeafmintProperties.Segment segment, Source source, CredentialsSupplier credentials) {
        SegmentGeneratorBuilder builder = source.segments(credentials);
        segment.passTo(new OptionSetter(builder::option));
        return builder.eagerTags(withoutGenes(segment.tags()));
    }

    /** Returns the tags that {@code eager} can prepare: it resolves a tag without gene bits. */
    private static String[] withoutGenes(Map<String, LeafmintProperties.Tag> tags) {
        var names = new ArrayList<String>();
        for (Map.Entry<String, LeafmintProperties.Tag> tag : tags.entrySet()) {
            if (tag.getValue().geneBits() == 0) {
                names.add(tag.getKey());
            }
        }
        return names.toArray(new String[0]);
    }
}
