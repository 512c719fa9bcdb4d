package io.github.leafmint.spring.boot;

import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;

/** Makes the beans of the tags, with the gene bits and the order that their properties have. */
class BizTags {
    private final SegmentGenerator ids;
    private final LeafmintProperties properties;

    BizTags(SegmentGenerator ids, LeafmintProperties properties) {
        this.ids = ids;
        this.properties = properties;
    }

    BizTag tag(String name) {
        LeafmintProperties.Tag tag = properties.segment().tags().get(name);
        // A tag that was configured when the application was compiled ahead of time may be gone now.
        return tag == null
                ? ids.bizTag(name)
                : RefusedTagException.naming(name, () -> ids.bizTag(name, tag.geneBits(), tag.order()));
    }
}
