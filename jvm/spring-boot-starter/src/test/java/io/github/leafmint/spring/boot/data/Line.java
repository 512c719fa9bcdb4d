package io.github.leafmint.spring.boot.data;

import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;
import org.springframework.data.relational.core.mapping.Table;

/** Entities of Spring Data, each in the same table. */
final class Line {
    private Line() {}

    @Table("order_lines")
    record Tagged(@Id @SegmentId("line") Long id, String item) {}

    @Table("order_lines")
    record Numbered(
            @Id @SegmentId("line") Long id,
            @SeriesValue("line-number") String item) {}

    /** Ids that are no keys. */
    @Table("order_lines")
    record Ticketed(
            @Id @SegmentId("line") Long id,
            @SegmentId("ticket") Long ticket,
            @SnowflakeId String item) {}

    /** Its key is assigned, so that it says itself whether it is new. */
    @Table("order_lines")
    record Given(@Id Long id, @SegmentId("ticket") Long ticket) implements Persistable<Long> {
        @Override
        public Long getId() {
            return id;
        }

        @Override
        @Transient
        public boolean isNew() {
            return true;
        }
    }

    /** An aggregate. */
    @Table("baskets")
    record Basket(@Id @SegmentId("basket") Long id, Set<Item> items) {}

    @Table("items")
    record Item(@Id @SegmentId("item") Long id) {}

    @Table("order_lines")
    record Unknown(@Id @SeriesValue("unknown") String id, String item) {}

    @Table("order_lines")
    static class NamedByTable {
        @Id
        @SegmentId
        long id;

        String item = "leaf";
    }

    @Table("order_lines")
    record Snowflaked(@Id @SnowflakeId Long id, String item) {}

    /** What Kotlin makes of a property whose type is a nullable value class. */
    record Number(Long value) {}

    @Table("order_lines")
    record Wrapped(@Id @SegmentId("line") Number id, String item) {}

    @Table("order_lines")
    record Assigned(@Id Long id, String item) {}
}
