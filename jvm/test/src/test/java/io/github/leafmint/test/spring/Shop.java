package io.github.leafmint.test.spring;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application whose service holds a tag, as services do. */
@EnableAutoConfiguration
class Shop {
    record Orders(Tag ids) {
        long open() {
            return ids.nextId();
        }
    }

    @Bean
    Orders orders(SegmentGenerator ids) {
        return new Orders(ids.tag("order"));
    }
}
