package shop;

import io.github.leafmint.persistence.SegmentId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** A line of an order, stored by Spring Data JDBC. */
@Table("shop_lines")
public record Line(@Id @SegmentId("shop_line") LineId id, String item) {}
