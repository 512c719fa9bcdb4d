package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentGeneratorBuilder;
import java.util.ArrayList;
import java.util.Map;

/** Makes builders of segment generators from properties. */
final class SegmentBuilders {
    private SegmentBuilders() {}

    /** Returns a builder with the options that are set. {@code credentials} replaces user and password unless null. */
    static SegmentGeneratorBuilder of(
            LeafmintProperties.Segment segment, LeafmintConnectionDetails details, CredentialsSupplier credentials) {
        SegmentGeneratorBuilder builder = SegmentGenerator.builder(details.url());
        var options = new OptionSetter(builder::option);
        if (credentials == null) {
            options.set("user", details.username()).set("password", details.password());
        } else {
            builder.credentials(credentials);
        }
        options.set("timeout", segment.timeout())
                .set("connect_timeout", segment.connectTimeout())
                .set("ssl_mode", segment.sslMode())
                .set("ssl_ca", segment.sslCa())
                .set("eager", segment.eager())
                .set("max_step", segment.maxStep())
                .set("max_unused", segment.maxUnused())
                .set("segment_duration", segment.segmentDuration())
                .set("outage_budget", segment.outageBudget())
                .set("auto_create", segment.autoCreate())
                .set("default_step", segment.defaultStep())
                .set("default_start", segment.defaultStart())
                .set("table", segment.table());
        return builder.tags(withoutGenes(segment.tags()));
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
